import { useSyncExternalStore } from 'react';
import { change, read } from '../vault/database';

/** Chromium's event, which is in no standard. */
interface InstallPrompt extends Event {
  /** Asks the person. Works once. */
  prompt(): Promise<unknown>;
}

let offer: InstallPrompt | undefined;
const listeners = new Set<() => void>();
const setOffer = (next: InstallPrompt | undefined) => {
  offer = next;
  for (const notify of listeners) notify();
};

/** Keeps the browser's offer to install the page until it is wanted. Chromium would show its own immediately. */
export function watchInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    setOffer(event as InstallPrompt);
  });
  addEventListener('appinstalled', () => setOffer(undefined));
}

export const useInstallOffer = (): InstallPrompt | undefined =>
  useSyncExternalStore(
    (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    () => offer,
  );

/** Asks the person to install the page. */
export async function install(prompt: InstallPrompt): Promise<void> {
  setOffer(undefined);
  await prompt.prompt();
}

/** Whether the page runs as an installed app. Safari on iOS has its own property for it. */
export const isInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches ||
  (navigator as { readonly standalone?: boolean }).standalone === true;

/** Whether the page can be installed only by hand, from the Share menu. iPads claim to be Macs, which have no touch screen. */
export const isIos = ({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);

export const INSTALL_DISMISSED = ['install-dismissed'] as const;
const ID = 'install-dismissed';

export const isInstallDismissed = async (): Promise<boolean> => (await read('settings', ID)) !== undefined;
export const dismissInstall = (): Promise<void> =>
  change(['settings'], (store) => store('settings').put({ id: ID, at: new Date().toISOString() }));
