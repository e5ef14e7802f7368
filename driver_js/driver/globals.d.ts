/** What Chromium has and TypeScript's DOM library does not know yet. */

interface NavigateEvent extends Event {
  readonly destination: {readonly url: string};
  readonly downloadRequest: string | null;
}

declare const navigation: {
  addEventListener(type: 'navigate', listener: (event: NavigateEvent) => void): void;
};
