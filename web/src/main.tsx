import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { takeToken } from "./api";
import { App } from "./app";
import "./style.css";
import "./program/program.css";
import "./program/code.css";
import "./documents.css";

takeToken();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
