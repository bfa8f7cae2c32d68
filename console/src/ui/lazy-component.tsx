import { type ComponentType, use } from 'react';

/** One function for each component whose code could not be fetched: it makes the component fetch it again. */
const failed = new Set<() => void>();

/** The next time that such a component is shown, its code is fetched again. */
export function forgetFailedCode(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/**
 * A component whose code is fetched when it is first shown, with one retry. Unlike `React.lazy`, which keeps a failure for good,
 * it can be shown again after `forgetFailedCode`.
 */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let code: Promise<ComponentType<P>> | undefined;
  const fetchCode = () => refetchFailedStyles().then(load);
  const forget = () => {
    code = undefined;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each module, as React.lazy is
  return function LazyComponent(props: P) {
    code ??= fetchCode()
      .catch(fetchCode)
      .catch((error: unknown) => {
        failed.add(forget);
        throw error;
      });
    const Loaded = use(code);
    return <Loaded {...props} />;
  };
}

/** Vite adds the link of a stylesheet once, and does not look again whether the stylesheet was loaded. */
const refetchFailedStyles = () =>
  Promise.all(
    [...document.querySelectorAll<HTMLLinkElement>('head link[rel=stylesheet]')]
      .filter(({ sheet }) => sheet === null)
      .map(refetch),
  );

const refetch = (link: HTMLLinkElement) =>
  new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.onload = resolve;
    again.onerror = () => reject(new Error(`Could not load ${link.href}.`));
    link.replaceWith(again);
  });
