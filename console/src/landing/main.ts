import { rememberLanguage } from '../docs/languages';

// The page is finished HTML. Only what works with a script loads one, when the reader comes near it.
const working = new WeakSet<Element>();
async function makeWork(part: HTMLElement): Promise<void> {
  const { start } = await import('./working');
  if (working.has(part)) return;
  working.add(part);
  start(part);
}
const near = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      void makeWork(target as HTMLElement);
    }
  },
  { rootMargin: '50% 0%' },
);
for (const part of document.querySelectorAll<HTMLElement>('[data-works]')) {
  near.observe(part);
  // Somebody may send a form before its script has come. The browser would load this page again, with what they typed in its address.
  part.addEventListener(
    'submit',
    (event) => {
      if (working.has(part)) return;
      event.preventDefault();
      const { target, submitter } = event;
      void makeWork(part).then(() => (target as HTMLFormElement).requestSubmit(submitter));
    },
    { capture: true },
  );
}
rememberLanguage();
