/**
 * Makes a value when it is first used. For formats of `Intl`: a browser takes long for its first one, and a page that starts needs
 * none.
 */
export function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
