import type { Operations } from '@svc/sdk';
import { ChevronLeft, ChevronRight, Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { serverNow } from '../../ui/server-time';
import type { DeskService } from '../device/service';
import { useClockTexts } from '../language/clock';
import { useTexts } from '../language/language';
import { Title } from '../staff/title';
import { Corrections } from './corrections';
import type { Known } from './known';
import { useMonthName } from './month-name';
import { dayAt, monthAfter, monthAt } from './sheet';
import { SheetTable } from './sheet-table';
import type { Ask } from './use-without-phone';
import style from './without-phone.module.css';

type Own = Operations['readDeclaredMonth']['reply'];

/** The person's month, on one page to print, and the corrections that wait for them. */
export function Month({
  service,
  known,
  ask,
  timeZone,
  onAgain,
  onBack,
  onLeave,
}: {
  readonly service: DeskService;
  readonly known: Known;
  readonly ask: Ask;
  readonly timeZone: string | undefined;
  /** The PIN was changed. */
  readonly onAgain: (known: Known) => void;
  readonly onBack: () => void;
  readonly onLeave: () => void;
}) {
  const t = useClockTexts().month;
  const { back, toStart } = useTexts();
  const nameOf = useMonthName();
  const current = monthAt(serverNow(), timeZone);
  const [month, setMonth] = useState(current);
  const [own, setOwn] = useState<Own>();
  const read = async () => {
    const send = (body: Known) =>
      service.run((svc) => svc.request('readDeclaredMonth', { body: { ...body, month } }));
    setOwn(await ask(known, send, onAgain));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another month is read once
  useEffect(() => void read(), [month]);
  const decide = async (id: string, decision: 'agree' | 'contest') => {
    const send = (body: Known) =>
      service.run((svc) =>
        svc.request('decideDeclaredCorrection', { path: { id }, body: { ...body, decision } }),
      );
    if (await ask(known, send, onAgain)) await read();
  };
  return (
    <article className={style.month}>
      <Title>{t.title}</Title>
      <p className={style.months}>
        <Button look="quiet" aria-label={t.before} onClick={() => setMonth(monthAfter(month, -1))}>
          <ChevronLeft aria-hidden="true" />
        </Button>
        <strong role="status">{nameOf(month)}</strong>
        <Button
          look="quiet"
          aria-label={t.after}
          disabled={month >= current}
          onClick={() => setMonth(monthAfter(month, 1))}
        >
          <ChevronRight aria-hidden="true" />
        </Button>
      </p>
      {own?.month === month && (
        <>
          <p>
            <Text of={own.sheet.name} /> {own.sheet.employeeCode}
          </p>
          <Corrections of={own.corrections} timeZone={own.timeZone} onDecide={decide} />
          <SheetTable of={own.sheet} today={dayAt(serverNow(), own.timeZone)} />
        </>
      )}
      <div className={style.actions}>
        <Button onClick={onBack}>{back}</Button>
        <Button disabled={own === undefined} onClick={() => print()}>
          <Printer size={22} aria-hidden="true" />
          {t.print}
        </Button>
        <Button look="primary" onClick={onLeave}>
          {toStart}
        </Button>
      </div>
    </article>
  );
}
