import type { OwnRow } from '@svc/sdk/time';
import { useState } from 'react';
import { Confirm } from '../../ui/dialogs/confirm';
import { Button } from '../../ui/forms/button';
import { classes } from '../../ui/layout/classes';
import { Panel } from '../../ui/layout/panel';
import { Row as Buttons } from '../../ui/layout/stack';
import { svc } from '../service';
import { actOf } from './acts';
import { clockText, dayText, rowText } from './format';
import { tt } from './texts';
import style from './time.module.css';
import type { MonthAct, ReadMonth } from './use-month';

type RowAct = Extract<MonthAct, { row: OwnRow }>;

/** How long a person takes back their own punch alone. */
const TAKE_BACK_MS = 5 * 60_000;

/** Every row of the month, by day, with who made it. What others made can be contested. */
export function Rows({
  of: { rows, timeZone },
  busy,
  onAct,
  onPropose,
}: {
  readonly of: ReadMonth;
  readonly busy: boolean;
  readonly onAct: (act: MonthAct) => void;
  /** Proposes what a row should be instead. */
  readonly onPropose: (row: OwnRow) => void;
}) {
  const [asked, setAsked] = useState<RowAct>();
  if (rows.length === 0) return <Panel title={tt.month.empty}>{null}</Panel>;
  const days = Map.groupBy?.(rows, ({ attendance }) => dayText(attendance.occurredAt, timeZone));
  return (
    <>
      {[...(days ?? new Map([['', rows]]))].map(([day, ofDay]) => (
        <section key={day} className={style.part}>
          <h2>{day}</h2>
          <ul className={style.list}>
            {ofDay.map((row) => (
              <Row key={row.attendance.id} {...{ row, timeZone, busy, onPropose }} onAsk={setAsked} />
            ))}
          </ul>
        </section>
      ))}
      {asked && (
        <Confirm
          title={tt[asked.kind].title}
          action={tt[asked.kind].action}
          busy={false}
          error={null}
          onConfirm={() => {
            onAct(asked);
            setAsked(undefined);
          }}
          onClose={() => setAsked(undefined)}
        >
          {tt[asked.kind].text(rowText(asked.row.attendance, timeZone))}
        </Confirm>
      )}
    </>
  );
}

function Row({
  row,
  timeZone,
  busy,
  onAsk,
  onPropose,
}: {
  readonly row: OwnRow;
  readonly timeZone: string;
  readonly busy: boolean;
  readonly onPropose: (row: OwnRow) => void;
  readonly onAsk: (act: RowAct) => void;
}) {
  const { attendance, check, isProved } = row;
  const { occurredAt, createdAt, evidence, contestedAt, voidedBy } = attendance;
  const isOld = voidedBy !== null || attendance.result === 'rejected';
  const canTakeBack = isProved && !isOld && svc.serverNow() - Date.parse(createdAt) < TAKE_BACK_MS;
  return (
    <li className={classes(check === 'wrong' && style.wrong, isOld && style.old)}>
      <strong>
        <time dateTime={occurredAt}>{clockText(occurredAt, timeZone)}</time> {tt.rows[actOf(attendance)]}
      </strong>
      <p>{tt.row.by[evidence ?? 'asserted']}</p>
      {notesOf(row).map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Buttons>
        {canTakeBack && (
          <Button small busy={busy} onClick={() => onAsk({ kind: 'takeBack', row })}>
            {tt.row.takeBack}
          </Button>
        )}
        {!isOld && !canTakeBack && (
          <Button
            small
            look="quiet"
            busy={busy}
            aria-label={tt.row.changeNamed(rowText(attendance, timeZone))}
            onClick={() => onPropose(row)}
          >
            {tt.row.change}
          </Button>
        )}
        {!isProved && contestedAt === null && !isOld && (
          <Button
            small
            look="danger"
            busy={busy}
            aria-label={tt.row.isWrongNamed(rowText(attendance, timeZone))}
            onClick={() => onAsk({ kind: 'contest', row })}
          >
            {tt.row.isWrong}
          </Button>
        )}
      </Buttons>
    </li>
  );
}

const CHECKS: Readonly<Partial<Record<OwnRow['check'], string>>> = {
  too_new: tt.row.tooNew,
  unsealed: tt.row.unsealed,
  unchecked: tt.row.unchecked,
  wrong: tt.row.wrong,
};

function notesOf({ attendance, check }: OwnRow): readonly string[] {
  const { contestedAt, voidedBy, result } = attendance;
  const notes = [
    CHECKS[check],
    contestedAt !== null && tt.row.contested,
    voidedBy !== null && tt.row.replaced,
    result === 'rejected' && tt.row.rejected,
  ];
  return notes.filter((note) => typeof note === 'string');
}
