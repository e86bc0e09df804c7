// The parts of lit-html that the page uses.

export function html(strings: TemplateStringsArray, ...values: unknown[]): object;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): object;
export const nothing: unique symbol;
export function render(value: unknown, container: HTMLElement): void;
