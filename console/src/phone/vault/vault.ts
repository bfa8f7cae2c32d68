import { isSamePlace, type Place, type Stored, type Vault } from '@svc/sdk/phone';
import { change, readAll, resultOf, type Store } from './database';
import type { SealedSecret } from './sealed';

type Records = Stored<SealedSecret>;

const KINDS = ['identities', 'ceremonies', 'joinings'] as const;

/** The phone's records in IndexedDB. Accounts without an identity have no history, so it is deleted in the same transaction. */
export const vault: Vault<SealedSecret> = {
  async read() {
    const [identities, ceremonies, joinings] = await Promise.all(KINDS.map((kind) => readAll(kind)));
    return { identities, ceremonies, joinings } as unknown as Records;
  },
  change: (work) =>
    change([...KINDS, 'approvals'], async (store) => {
      const [identities, ceremonies, joinings] = await Promise.all(
        KINDS.map((kind) => resultOf<unknown[]>(store(kind).getAll())),
      );
      const stored = { identities, ceremonies, joinings } as unknown as Records;
      const changes = work(stored);
      for (const each of changes)
        if ('put' in each) store(each.put).put(each.record);
        else store(each.remove).delete(each.id);
      const removed = changes.flatMap((each) =>
        'remove' in each && each.remove === 'identities'
          ? stored.identities.filter(({ id }) => id === each.id)
          : [],
      );
      if (removed.length > 0) await deleteHistory(store, removed);
    }),
  alone: (name, work) => navigator.locks.request(name, work),
};

async function deleteHistory(store: Store, removed: readonly Place[]): Promise<void> {
  const left = await resultOf<Place[]>(store('identities').getAll());
  const isOver = (place: Place) =>
    removed.some((other) => isSamePlace(other, place)) && !left.some((other) => isSamePlace(other, place));
  for (const entry of await resultOf<(Place & { readonly id: string })[]>(store('approvals').getAll()))
    if (isOver(entry)) store('approvals').delete(entry.id);
}
