// What jsdom lacks and uPlot asks for when it is loaded.
globalThis.matchMedia ??= () =>
  ({ matches: false, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
