import type { Locator } from 'playwright-core';

/** Clicks as a person does, and counts them. */
export function countedClicks() {
  let count = 0;
  return {
    get count() {
      return count;
    },
    click: async (target: Locator) => {
      count += 1;
      await target.click();
    },
  };
}
