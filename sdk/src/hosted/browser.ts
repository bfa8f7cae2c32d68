/** The parts of a browser that a sign-in in a popup uses. The SDK is compiled without the types of a page. */

export interface Popup {
  readonly closed: boolean;
  readonly location: { href: string };
  close(): void;
}

export interface Message {
  readonly origin: string;
  readonly source: unknown;
  readonly data: unknown;
}

export interface PageWindow {
  readonly location: { readonly origin: string; readonly search: string; readonly pathname: string };
  readonly opener: { postMessage(message: unknown, targetOrigin: string): void } | null;
  readonly history: { replaceState(state: null, unused: string, url: string): void };
  open(url: string, target: string, features: string): Popup | null;
  addEventListener(type: 'message', listener: (message: Message) => void): void;
  removeEventListener(type: 'message', listener: (message: Message) => void): void;
  close(): void;
}

export const pageWindow = (): PageWindow => globalThis as unknown as PageWindow;
