export * from "./core/notation.js";
