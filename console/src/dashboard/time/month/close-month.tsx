import type { MonthState } from '@svc/sdk';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Badge } from '../../../ui/layout/surface';
import { useSend } from '../../operations/send';
import { flagText, t } from '../language/strings';
import { nameOfDay, nameOfMonth } from '../parts/months';
import { Person } from '../parts/person';
import style from './month.module.css';

type OpenFlag = MonthState['flags'][number];

/** The flags of each person’s day together. */
function daysWith(flags: readonly OpenFlag[]): readonly (readonly [OpenFlag, readonly string[]])[] {
  const days = new Map<string, [OpenFlag, string[]]>();
  for (const flag of flags) {
    const key = `${flag.userId} ${flag.date}`;
    const day = days.get(key);
    if (day === undefined) days.set(key, [flag, [flag.code]]);
    else if (!day[1].includes(flag.code)) day[1].push(flag.code);
  }
  return [...days.values()];
}

/** Lists the open flags first. Who closes the month says how many they have seen. */
export function CloseMonth({
  siteId,
  month,
  state: { flags },
  onClose,
}: {
  readonly siteId: string;
  readonly month: string;
  readonly state: MonthState;
  readonly onClose: () => void;
}) {
  const close = useSend('closeMonth', { done: t.closing.closed(nameOfMonth(month)), onReloaded: onClose });
  return (
    <Dialog title={t.closing.dialog(nameOfMonth(month))} busy={close.isPending} onClose={onClose}>
      {flags.length > 0 && (
        <>
          <p>
            <Badge tone="warn">{t.closing.flags(flags.length)}</Badge>
          </p>
          <ul className={style.flags} aria-label={t.closing.openFlags}>
            {daysWith(flags).map(([{ userId, name, date }, codes]) => (
              <li key={`${userId} ${date}`}>
                <span>
                  <strong>
                    <Person name={name} />
                  </strong>
                  , {nameOfDay(date)}
                </span>
                {codes.map((code) => (
                  <small key={code}>{flagText(code)}</small>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>{t.closing.about}</p>
      {close.error && <Failure error={close.error} />}
      <DialogActions>
        <Cancel />
        <Button
          look="primary"
          busy={close.isPending}
          onClick={() => close.mutate({ path: { month }, body: { siteId, openFlags: flags.length } })}
        >
          {flags.length === 0 ? t.closing.action : t.closing.actionWith(flags.length)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
