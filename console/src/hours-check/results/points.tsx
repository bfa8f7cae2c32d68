import { useNumber, useSpoken } from '../language/spoken';
import type { Checked } from '../messages';
import type { Kept } from '../use-check';
import type { Judged } from './judged';
import { List } from './list';
import { useMoment } from './moment';

interface Of {
  readonly of: Judged;
  readonly in: Checked;
  readonly kept: Kept;
}

export function WhatWasChecked({ of, in: { timeZone }, kept }: Of) {
  const { texts: t } = useSpoken();
  const number = useNumber();
  const moment = useMoment(timeZone);
  const { people, minutes, minutesWithAsserted: all, proofs, entries, isComplete, faults } = of;
  const events = listOf(of.counts, t.evidence, number);
  const corrections = listOf(of.corrections, t.states, number);
  return (
    <List
      title={faults === 0 ? t.checked : t.apart}
      are="good"
      items={[
        t.people(number(people), clock(minutes), all > minutes ? clock(all - minutes) : undefined),
        events !== '' && t.events(events),
        corrections !== '' && t.corrections(corrections),
        faults === 0 && proofs > 0 && t.proofs(number(proofs)),
        isComplete && entries > 0 && t.complete(number(entries)),
        of.closing === 'sound' && of.closedAt !== null && t.closed(moment(of.closedAt)),
        faults === 0 && people > 0 && t.sheets,
        of.kept !== null && (kept === 'in a file' ? t.sameAsFile : t.sameHistory)(number(of.kept.seq)),
      ]}
    />
  );
}

export function WhatWasNot({ of, in: { timeZone }, kept }: Of) {
  const { texts: t } = useSpoken();
  const number = useNumber();
  const moment = useMoment(timeZone);
  const { counts, agreedByPin, displaced, erased, closing, lastEntry } = of;
  const unproved = counts.declared + agreedByPin;
  return (
    <List
      title={t.notChecked}
      are="unknown"
      items={[
        t.phones,
        t.names,
        lastEntry !== null && t.after(moment(lastEntry.at), closing === 'none'),
        unproved > 0 && t.unproved(number(unproved)),
        erased > 0 && t.erased(number(erased)),
        displaced > 0 && t.displaced(number(displaced)),
        closing === 'unknown_rules' && t.rules,
        !kept && t.firstCheck,
      ]}
    />
  );
}

/** Counts in words, without those of nothing. */
function listOf<K extends string>(
  counts: Readonly<Record<K, number>>,
  texts: Readonly<Record<K, (count: string) => string>>,
  number: (value: number) => string,
): string {
  const parts = (Object.keys(texts) as K[]).filter((each) => counts[each] > 0);
  return parts.map((each) => texts[each](number(counts[each]))).join(', ');
}

const clock = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
