import { applyChanges, NOTHING_STORED, type Secret, type Stored, type Vault } from '@svc/sdk/phone';

/** A vault in memory, which tabs of one phone share. What it returns can't be changed by its reader. */
export function memoryVault<S extends Secret>(
  initial: Stored<S> = NOTHING_STORED,
): Vault<S> & { readonly stored: () => Stored<S> } {
  let stored = initial;
  const busy = new Map<string, Promise<unknown>>();
  return {
    stored: () => stored,
    read: async () => structuredClone(stored),
    async change(work) {
      stored = structuredClone(applyChanges(stored, work(stored)));
    },
    async alone(name, work) {
      const before = busy.get(name);
      const run = (async () => {
        await before?.catch(() => undefined);
        return work();
      })();
      busy.set(name, run);
      return run;
    },
  };
}
