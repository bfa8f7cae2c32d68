type Connection = { readonly saveData?: boolean };

/** Whether the reader asked their browser to load little. */
const savesData = () =>
  (navigator as Navigator & { readonly connection?: Connection }).connection?.saveData === true ||
  matchMedia('(prefers-reduced-data: reduce)').matches;

/** Calls `run` when half of the element is in view for the first time, unless the reader saves data. Returns what ends the wait. */
export function onceInView(element: HTMLElement, run: () => void): () => void {
  if (savesData()) return () => {};
  const observer = new IntersectionObserver(
    ([seen]) => {
      if (!seen?.isIntersecting) return;
      observer.disconnect();
      run();
    },
    { threshold: 0.5 },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
