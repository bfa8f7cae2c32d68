import { type ComponentType, use } from 'react';

/** For each component whose code could not be loaded, a function that makes it load again. */
const failed = new Set<() => void>();

/** Makes all failed components load their code again when they are next rendered. */
export function forgetFailedCode(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/**
 * A component whose code is loaded when it is first rendered, with one retry. `React.lazy` would store a failure permanently.
 * This component can be rendered again after `forgetFailedCode`.
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

/** Vite adds a stylesheet's link once and doesn't check whether it was loaded. */
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
