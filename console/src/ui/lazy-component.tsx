import { type ComponentType, use } from 'react';

export type LazyComponent<P extends object = object> = ComponentType<P> & {
  /** Loads the code before the component is rendered. */
  readonly preload: () => void;
};

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
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>): LazyComponent<P> {
  let code: Promise<ComponentType<P>> | undefined;
  let component: ComponentType<P> | undefined;
  const fetchCode = () => refetchFailedStyles().then(load);
  const forget = () => {
    code = undefined;
  };
  const startLoading = () => {
    watchStyles();
    code ??= fetchCode()
      .catch(fetchCode)
      .then((found) => {
        component = found;
        return found;
      })
      .catch((error: unknown) => {
        failed.add(forget);
        throw error;
      });
    return code;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each module, as React.lazy is
  function Lazy(props: P) {
    // Rendered in one go once it is loaded: even a resolved promise suspends the first time.
    const Loaded = component ?? use(startLoading());
    return <Loaded {...props} />;
  }
  // After a failure, the component loads its code again when it is rendered.
  Lazy.preload = () => void startLoading().catch(forget);
  return Lazy;
}

/** Stylesheets that could not be loaded. Vite adds the link of each one once and doesn't check later whether it was loaded. */
const failedStyles = new Set<HTMLLinkElement>();

let isWatching = false;
function watchStyles(): void {
  if (isWatching) return;
  isWatching = true;
  const remember = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
  };
  // An error of an element doesn't bubble.
  addEventListener('error', remember, { capture: true });
}

const refetchFailedStyles = () => Promise.all([...failedStyles].map(refetch));

const refetch = (link: HTMLLinkElement) =>
  new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.onload = resolve;
    again.onerror = () => reject(new Error(`Could not load ${link.href}.`));
    failedStyles.delete(link);
    link.replaceWith(again);
  });
