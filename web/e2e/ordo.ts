// The program that is tested: $ORDO, or the one that was built here. Whole, for some tests run it elsewhere.
import { resolve } from "node:path";

export const kOrdo = resolve(process.env.ORDO ?? "../build/release/bin/ordo");
