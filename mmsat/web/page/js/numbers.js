export * from "./core/numbers.js";
