import type { NotedRecord } from '@svc/zk/records/chain-notes';
import type { ChainHistory, ChainSeal, RecordState } from '@svc/zk/records/judge';

/** Empty for a record that is only named. */
type SealFields = readonly [seq?: number, seal?: string, at?: string, actor?: string];
type StateFields = readonly [
  lacks: RecordState['lacks'] | null,
  seal: string | null,
  person: string | null,
  isEmpty: boolean,
];

/** What the chain and a file say of one record. */
export interface Found extends ChainHistory {
  readonly seals: (ChainSeal & Pick<NotedRecord, 'actor'>)[];
  isNamed: boolean;
  /** One for each row of the file. */
  readonly states: RecordState[];
}

const NOTED = 'N';
const STATE = 'R';

/** JSON has no tabs, so the first one ends the id. */
const lineOf = (id: string, what: string, fields: readonly unknown[]): string =>
  `${JSON.stringify(id)}\t${what}${JSON.stringify(fields)}`;

export const lineOfSeal = ({ id, seq, seal, at, actor }: NotedRecord): string =>
  lineOf(id, NOTED, [seq, seal, at, actor]);

export const lineOfName = (id: string): string => lineOf(id, NOTED, []);

export const lineOfState = (id: string, { lacks, seal, person, isEmpty }: RecordState): string =>
  lineOf(id, STATE, [lacks ?? null, seal ?? null, person ?? null, isEmpty] satisfies StateFields);

/** What such lines say of each record. They are read one record after another, so that only the lines themselves live long. */
export function* byId(lines: readonly string[]): Generator<readonly [id: string, Found]> {
  const groups = new Map<string, string[]>();
  for (const line of lines) {
    const id = line.slice(0, line.indexOf('\t'));
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [line]);
    else group.push(line);
  }
  for (const [id, group] of groups) yield [JSON.parse(id) as string, read(group, id.length + 1)];
}

function read(lines: readonly string[], start: number): Found {
  const found: Found = { seals: [], isNamed: false, states: [] };
  for (const line of lines) {
    const fields: unknown = JSON.parse(line.slice(start + 1));
    if (line[start] === STATE) {
      const [lacks, seal, person, isEmpty] = fields as StateFields;
      const state = { lacks: lacks ?? undefined, seal: seal ?? undefined, person: person ?? undefined };
      found.states.push({ ...state, isEmpty });
      continue;
    }
    const [seq, seal, at, actor] = fields as SealFields;
    found.isNamed = true;
    if (seal !== undefined) found.seals.push({ seq, seal, at, actor } as Found['seals'][number]);
  }
  return found;
}
