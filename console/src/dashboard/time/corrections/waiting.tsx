import type { NamedCorrection } from '@svc/sdk';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Failure } from '../../../ui/failure';
import { useToast } from '../../../ui/floating/toasts';
import { Button } from '../../../ui/forms/button';
import { Panel } from '../../../ui/layout/panel';
import { Row } from '../../../ui/layout/stack';
import { Notice } from '../../../ui/layout/surface';
import { Rows } from '../../../ui/lists/rows';
import { useRights } from '../../nouns/members/rights';
import { messageOf } from '../language/errors';
import { t } from '../language/strings';
import { CorrectionText } from './correction-text';
import style from './corrections.module.css';
import { type Decided, type Decision, useDecide } from './use-decide';

/** What people propose, which waits for the company: decided one by one, or several together. */
export function Waiting({
  corrections,
  timeZone,
}: {
  readonly corrections: readonly NamedCorrection[];
  readonly timeZone: string;
}) {
  const { hours } = useRights();
  const toast = useToast();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [failed, setFailed] = useState<Decided['failed']>([]);
  const decide = useDecide((decided) => {
    setChosen(new Set());
    setFailed(decided.failed);
    if (decided.done > 0) toast(textOf(decided.done, decide.variables?.decision ?? 'agree'));
  });
  const ids = corrections.map(({ id }) => id).filter((id) => chosen.has(id));
  const send = (of: readonly string[], decision: Decision) => decide.mutate({ ids: of, decision });
  const toggle = (id: string) => {
    const after = new Set(chosen);
    if (!after.delete(id)) after.add(id);
    setChosen(after);
  };
  if (corrections.length === 0) return <Nothing />;
  return (
    <Panel
      flush
      title={t.corrections.counted(t.corrections.company, corrections.length)}
      aria-label={t.corrections.company}
      aside={hours && corrections.length > 1 && <ChooseAll {...{ corrections, ids, setChosen }} />}
    >
      {decide.error && <Failure error={decide.error} />}
      {failed.length > 0 && <Failed of={failed} />}
      <Rows lined className={style.rows}>
        {corrections.map((correction) => (
          <li key={correction.id} className={style.row}>
            {hours && (
              <input
                type="checkbox"
                aria-label={t.corrections.choose}
                checked={chosen.has(correction.id)}
                onChange={() => toggle(correction.id)}
              />
            )}
            <CorrectionText of={correction} timeZone={timeZone} />
            {hours && (
              <Decide busy={decide.isPending} onDecide={(decision) => send([correction.id], decision)} />
            )}
          </li>
        ))}
      </Rows>
      {ids.length > 0 && (
        <div className={style.bar} role="status">
          <span>{t.corrections.chosen(ids.length)}</span>
          <Row>
            <Button busy={decide.isPending} onClick={() => send(ids, 'contest')}>
              {t.corrections.contestAll}
            </Button>
            <Button look="primary" busy={decide.isPending} onClick={() => send(ids, 'agree')}>
              {t.corrections.agreeAll}
            </Button>
          </Row>
        </div>
      )}
    </Panel>
  );
}

const textOf = (count: number, decision: Decision): string =>
  (decision === 'agree' ? t.corrections.agreed : t.corrections.contested)(count);

const Nothing = () => (
  <Panel className={style.calm}>
    <CircleCheck size={16} aria-hidden="true" />
    <p>{t.corrections.nothing}</p>
  </Panel>
);

const ChooseAll = ({
  corrections,
  ids,
  setChosen,
}: {
  readonly corrections: readonly NamedCorrection[];
  readonly ids: readonly string[];
  readonly setChosen: (chosen: ReadonlySet<string>) => void;
}) => {
  const isAll = ids.length === corrections.length;
  return (
    <Button
      small
      look="quiet"
      onClick={() => setChosen(new Set(isAll ? [] : corrections.map(({ id }) => id)))}
    >
      {isAll ? t.corrections.chooseNone : t.corrections.chooseAll}
    </Button>
  );
};

const Decide = ({
  busy,
  onDecide,
}: {
  readonly busy: boolean;
  readonly onDecide: (decision: Decision) => void;
}) => (
  <Row>
    <Button small busy={busy} onClick={() => onDecide('contest')}>
      {t.corrections.contest}
    </Button>
    <Button small busy={busy} onClick={() => onDecide('agree')}>
      {t.corrections.agree}
    </Button>
  </Row>
);

const Failed = ({ of }: { readonly of: Decided['failed'] }) => (
  <Notice tone="bad">
    <p>{t.corrections.failed(of.length)}</p>
    {[...new Set(of.map(([, error]) => messageOf(error)))].map((message) => (
      <p key={message}>{message}</p>
    ))}
  </Notice>
);
