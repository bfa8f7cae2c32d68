import { isSvcError } from '@svc/sdk';
import { PERSON_FIELDS, type PersonField } from '../../nouns/person/person-fields';
import type { ImportedPerson, Line } from './read-people';

export interface Sending {
  /** Adds people. Resolves with whether each was added, in their order. */
  readonly send: (people: readonly ImportedPerson[]) => Promise<readonly boolean[]>;
  /** Resolves after that time, or when the import is stopped. */
  readonly wait: (seconds: number) => Promise<void>;
  readonly onProgress: (soFar: Imported) => void;
  readonly signal: AbortSignal;
}

export interface Imported {
  readonly added: number;
  /** Lines whose external ID a person already has. */
  readonly known: readonly Line[];
  readonly wrong: readonly { readonly line: Line; readonly why: string }[];
  /** Lines that were not sent, or not answered. */
  readonly left: readonly Line[];
  /** The service takes no more requests in this minute, and the import goes on in the next. */
  readonly isWaiting?: boolean;
  /** What ended the import before its end. */
  readonly error?: unknown;
}

/** As many as the service takes in a request, unless they are too long together. */
const BATCH = 100;
/** The longest wait for the next minute, if the service does not say how long. */
const MINUTE_S = 60;

/**
 * Adds the people of a file, a hundred at a time. The service names the fields that are wrong; their lines are left out and the others
 * of the hundred sent again. At the limit of requests a minute, it waits,
 * and it sends half as many where they are too long together. Another error ends the import.
 */
export async function sendPeople(
  lines: readonly Line[],
  { send, wait, onProgress, signal }: Sending,
): Promise<Imported> {
  let soFar: Imported = { added: 0, known: [], wrong: [], left: lines };
  let size = BATCH;
  while (soFar.left.length > 0 && !signal.aborted) {
    const batch = soFar.left.slice(0, size);
    const rest = soFar.left.slice(size);
    try {
      const added = await send(batch.map(({ person }) => person));
      soFar = {
        ...soFar,
        added: soFar.added + added.filter(Boolean).length,
        known: [...soFar.known, ...batch.filter((_line, at) => !added[at])],
        left: rest,
      };
    } catch (error) {
      if (isSvcError(error, 'rate_limit_exceeded')) {
        onProgress({ ...soFar, isWaiting: true });
        await wait(error.retryAfterSeconds ?? MINUTE_S);
        continue;
      }
      if (isSvcError(error, 'payload_too_large') && batch.length > 1) {
        size = Math.ceil(batch.length / 2);
        continue;
      }
      const faults = faultsOf(error);
      if (faults.size === 0) return { ...soFar, error };
      soFar = {
        ...soFar,
        wrong: [
          ...soFar.wrong,
          ...batch.flatMap((line, at) => {
            const why = faults.get(at);
            return why === undefined ? [] : [{ line, why }];
          }),
        ],
        left: [...batch.filter((_line, at) => !faults.has(at)), ...rest],
      };
    }
    onProgress(soFar);
  }
  return soFar;
}

/** What is wrong with each person of a request, by their place in it. */
function faultsOf(error: unknown): ReadonlyMap<number, string> {
  const faults = new Map<number, string>();
  if (!isSvcError(error, 'invalid_request')) return faults;
  for (const { path, message } of error.details ?? []) {
    const [, at, field] = /^body\.users\.(\d+)\.(\w+)/.exec(path) ?? [];
    if (at !== undefined && field !== undefined && !faults.has(Number(at)))
      faults.set(Number(at), `${PERSON_FIELDS[field as PersonField]?.label ?? field} ${message}`);
  }
  return faults;
}
