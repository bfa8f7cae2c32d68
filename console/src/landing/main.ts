import { rememberLanguage } from '../docs/languages';

// The page is finished HTML. Only what works with a script loads one, when the reader comes near it.
const near = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      void import('./working').then(({ start }) => start(target as HTMLElement));
    }
  },
  { rootMargin: '50% 0%' },
);
for (const part of document.querySelectorAll('[data-works]')) near.observe(part);
rememberLanguage();
