export * from "./core/storage.js";
