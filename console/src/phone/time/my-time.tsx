import { type CorrectionWish, monthOf, type OwnRow } from '@svc/sdk/time';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { AccountAndEnvironment } from '../parts/company/company';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { Sending } from '../parts/screen/sending';
import { svc } from '../service';
import type { Identity } from '../vault/identities';
import { Corrections } from './corrections';
import { exportReceipts } from './export';
import { monthText } from './format';
import { PinPart, SetPin } from './pin';
import { Propose } from './propose';
import { Rows } from './rows';
import { Sums } from './sums';
import { tt } from './texts';
import style from './time.module.css';
import { type MonthWork, type ReadMonth, useMonth } from './use-month';

/** What the person fills in. */
type Form = { readonly kind: 'pin' } | { readonly kind: 'propose'; readonly row?: OwnRow };

/** A month of the person: the sums, each row with who made it, corrections, and who looked. */
export function MyTime({
  identity,
  onClose,
  onPunch,
}: {
  readonly identity: Identity;
  readonly onClose: () => void;
  /** Comes or goes at one's own place. */
  readonly onPunch: () => void;
}) {
  const newest = monthOf(svc.serverNow(), Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [month, setMonth] = useState(newest);
  const { read, stage, act } = useMonth(identity, month);
  const [form, setForm] = useState<Form>();
  const open = (next: Form | undefined) => {
    act.reset();
    setForm(next);
  };
  const { data, error, isFetching } = read;
  if (data && form)
    return (
      <Filled
        {...{ identity, form, act, data }}
        onSent={() => setForm(undefined)}
        onClose={() => open(undefined)}
      />
    );
  return (
    <Screen title={tt.title}>
      <p className={screen.soft}>
        <AccountAndEnvironment account={identity} />
      </p>
      <Months {...{ month, newest }} busy={act.isPending} onChange={setMonth} />
      {isFetching && <Sending stage={stage} />}
      {act.isPending && <Sending stage={act.stage} />}
      {error && !isFetching && (
        <Failure error={error} onRetry={isRetryable(error) ? () => void read.refetch() : undefined} />
      )}
      {act.error && <Failure error={act.error} onRetry={act.again} />}
      {data && !isFetching && <Month of={data} act={act} onOpen={open} />}
      <Actions>
        <Button onClick={onClose}>{t.back}</Button>
        <Button look="primary" onClick={onPunch}>
          {tt.month.here}
        </Button>
      </Actions>
    </Screen>
  );
}

/** A form about the month. */
function Filled({
  identity,
  form,
  act,
  data,
  onSent,
  onClose,
}: {
  readonly identity: Identity;
  readonly form: Form;
  readonly act: MonthWork;
  readonly data: ReadMonth;
  /** The month shows how it goes on. */
  readonly onSent: () => void;
  readonly onClose: () => void;
}) {
  const userId = userOf(data, identity);
  if (form.kind === 'pin' || userId === undefined) return <SetPin {...{ identity, act, onClose }} />;
  const onPropose = (wish: CorrectionWish) => {
    onSent();
    act.mutate({ kind: 'propose', wish, userId });
  };
  return <Propose {...{ identity, onPropose, onClose }} row={form.row} timeZone={data.timeZone} />;
}

/** A phone from before enrolments were kept knows its person by the rows only. */
const userOf = ({ rows }: ReadMonth, { enrolment }: Identity): string | undefined =>
  enrolment?.userId ?? rows[0]?.attendance.userId;

function Months({
  month,
  newest,
  busy,
  onChange,
}: {
  readonly month: string;
  readonly newest: string;
  readonly busy: boolean;
  readonly onChange: (month: string) => void;
}) {
  return (
    <div className={style.months}>
      <Button aria-label={tt.months.before} busy={busy} onClick={() => onChange(shifted(month, -1))}>
        <ChevronLeft size={20} aria-hidden="true" />
      </Button>
      <h2>{monthText(month)}</h2>
      <Button
        aria-label={tt.months.after}
        busy={busy}
        disabled={month >= newest}
        onClick={() => onChange(shifted(month, 1))}
      >
        <ChevronRight size={20} aria-hidden="true" />
      </Button>
    </div>
  );
}

function Month({
  of,
  act,
  onOpen,
}: {
  readonly of: ReadMonth;
  readonly act: MonthWork;
  readonly onOpen: (form: Form) => void;
}) {
  const busy = act.isPending;
  return (
    <>
      <Missing of={of} />
      <Corrections of={of} busy={busy} onAct={act.mutate} />
      <Sums of={of} />
      <Rows {...{ of, busy }} onAct={act.mutate} onPropose={(row) => onOpen({ kind: 'propose', row })} />
      <div>
        <Button small busy={busy} onClick={() => onOpen({ kind: 'propose' })}>
          {tt.propose.missing}
        </Button>
      </div>
      <Readings of={of} />
      <PinPart {...{ of, busy }} onSet={() => onOpen({ kind: 'pin' })} />
      {of.missing.length === 0 && <Export receipts={of.receipts} look="quiet" />}
    </>
  );
}

/** `month` is YYYY-MM. */
const shifted = (month: string, by: number): string => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + by)).toISOString().slice(0, 7);
};

/** Receipts whose row is gone, or is another one. */
function Missing({ of: { missing, receipts } }: { readonly of: ReadMonth }) {
  return (
    <>
      {missing.length > 0 && (
        <Notice tone="bad">
          <strong>{tt.missing.title}</strong>
          <p>{tt.missing.text(missing.length)}</p>
        </Notice>
      )}
      {missing.length > 0 && <Export receipts={receipts} look="primary" />}
    </>
  );
}

const Export = ({
  receipts,
  look,
}: {
  readonly receipts: ReadMonth['receipts'];
  readonly look: 'primary' | 'quiet';
}) =>
  receipts.length > 0 && (
    <Button look={look} onClick={() => exportReceipts(receipts)}>
      {tt.missing.export}
    </Button>
  );

const Readings = ({ of: { readings } }: { readonly of: ReadMonth }) => (
  <section className={style.part}>
    <h2>{tt.readings.title}</h2>
    {readings.length === 0 && <p className={screen.soft}>{tt.readings.none}</p>}
    <ul className={style.list}>
      {readings.map(({ at, by, name, isOfSite }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two readings may be equal, and their order never changes
        <li key={index}>
          {by === 'api_key' ? (
            tt.readings.program
          ) : by === 'inspector' ? (
            tt.readings.inspector
          ) : name === null ? (
            tt.readings.former
          ) : (
            <Text of={name} />
          )}
          {isOfSite && ` (${tt.readings.ofSite})`}
          <p>
            <Time at={at} />
          </p>
        </li>
      ))}
    </ul>
  </section>
);
