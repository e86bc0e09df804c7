// The DOM as the views use it: a selector gives elements of any kind, and an event comes from any kind.

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
  closest(selectors: string): any;
}
interface EventTarget {
  addEventListener(type: string, listener: (event: any) => void, options?: AddEventListenerOptions): void;
}
interface Window {
  mmsat: object;
}
declare function addEventListener(type: string, listener: (event: any) => void): void;
