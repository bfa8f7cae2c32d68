import type { HoursFaultCode } from '@svc/sdk/hours';
import { Notice } from '../../ui/layout/surface';
import type { Ending } from '../language/en';
import { useNumber, useSpoken } from '../language/spoken';
import type { Checked } from '../messages';
import type { Kept } from '../use-check';
import { Code } from './code';
import { Findings } from './findings';
import type { Judged, PersonName } from './judged';
import { useMoment } from './moment';
import { WhatWasChecked, WhatWasNot } from './points';

/** What a check has come to, in sentences. */
export function Result({
  of,
  kept,
  person,
}: {
  readonly of: Checked;
  readonly kept: Kept;
  readonly person: PersonName;
}) {
  const { verdict, isForgeable } = of;
  const { texts: t } = useSpoken();
  const isWhole = 'conclusion' in verdict;
  return (
    <>
      {!isWhole && <Ended code={verdict.code} kept={kept} />}
      {isWhole && (verdict.ok ? <Holds of={verdict} in={of} /> : <Wrong faults={verdict.faults} />)}
      {isForgeable && verdict.ok && <Notice tone="warn">{t.forgeable}</Notice>}
      <Findings of={of} person={person} />
      {isWhole && (
        <>
          <WhatWasChecked of={verdict} in={of} kept={kept} />
          <WhatWasNot of={verdict} in={of} kept={kept} />
        </>
      )}
    </>
  );
}

function Holds({ of, in: { timeZone } }: { readonly of: Judged; readonly in: Checked }) {
  const { texts: t } = useSpoken();
  const moment = useMoment(timeZone);
  const { entries, lastEntry, kept, keptUntil, closing, closedAt } = of;
  if (entries === 0 || lastEntry === null) return <Notice>{t.nothing}</Notice>;
  const until = kept === null ? lastEntry.at : keptUntil;
  return (
    <Notice tone="good">
      <strong>{t.holds}</strong>{' '}
      {until === null ? t.newer : t.holdsUntil(moment(until), closing === 'sound' && closedAt === until)}
    </Notice>
  );
}

function Wrong({ faults }: { readonly faults: number }) {
  const { texts: t } = useSpoken();
  const number = useNumber();
  return (
    <Notice tone="bad">
      <strong>{t.wrong(number(faults))}</strong> {t.wrongAbout}
    </Notice>
  );
}

/** Those that say something about this browser or page, and nothing about the file. */
const UNKNOWN: readonly HoursFaultCode[] = ['signature_unsupported', 'setup_unknown'];

function Ended({ code, kept }: { readonly code: HoursFaultCode; readonly kept: Kept }) {
  const { texts: t } = useSpoken();
  const isUnknown = UNKNOWN.includes(code);
  const textOf = (ending: Ending) =>
    (kept === 'in a file' ? t.endingsOfFile[ending] : undefined) ?? t.endings[ending];
  return (
    <Notice tone={isUnknown ? 'warn' : 'bad'}>
      <strong>{isUnknown ? t.notJudged : t.ended}</strong> {textOf(code as Ending)} <Code of={code} />
    </Notice>
  );
}
