import { Check } from 'lucide-react';
import { Stage } from '../../../ui/stage/stage';
import type { DeskService } from '../../device/service';
import type { Progress } from '../../flow/follow-registration';
import type { Ending } from '../../flow/scene';
import { useIdle } from '../../flow/use-idle';
import { type Subject, useRegistration } from '../../flow/use-registration';
import type { Strings } from '../../language/en';
import { useTexts } from '../../language/language';
import { StillThere } from '../still-there';
import { Status, Waiting } from './waiting';
import style from './waiting.module.css';

/** Nobody touches the desk while they confirm on their phone. */
const WITH_PHONE_S = 300;

/** The three steps of a registration: one code, and then the phone goes on alone. */
export function RegisteringScene({
  service,
  subject,
  idleSeconds,
  onDone,
  onAgain,
  onEnded,
  onError,
  onLeave,
}: {
  readonly service: DeskService;
  readonly subject: Subject;
  readonly idleSeconds: number;
  readonly onDone: (name: string | null) => void;
  /** The same person with a new code. Undefined if it is not known who they are. */
  readonly onAgain: (() => void) | undefined;
  readonly onEnded: (how: Ending) => void;
  readonly onError: (error: unknown) => void;
  readonly onLeave: () => void;
}) {
  const t = useTexts();
  const { state, code, url, expiresAt, isLost, cancel } = useRegistration(service, subject, {
    ended({ outcome, session }) {
      if (outcome === 'completed') onDone((session?.profile?.fullName ?? null) as string | null);
      else if (outcome === 'gone') onLeave();
      else onEnded(outcome);
    },
    error: onError,
  });
  const cancelAnd = (go: () => void) => () => {
    cancel();
    go();
  };
  const isConnected = state === 'awaiting_commitment' || state === 'awaiting_verification';
  const left = useIdle(isConnected ? WITH_PHONE_S : idleSeconds, state, onLeave);
  return (
    <>
      <Waiting
        title={isConnected ? t.registering.titleConnected : t.registering.title}
        code={isConnected || isLost ? undefined : code}
        onCancel={cancelAnd(onLeave)}
      >
        <Steps at={stepOf(state)} />
        <Stage
          text={code}
          url={url}
          number={null}
          isStale={isLost}
          isConnected={isConnected}
          words={{ ...t.stage, showCode: t.registering.newCode }}
          onShowCode={onAgain && cancelAnd(onAgain)}
        >
          <Status isLost={isLost} until={isConnected ? undefined : expiresAt}>
            {isLost ? t.registering.lost : statusOf(state, t.registering)}
          </Status>
        </Stage>
      </Waiting>
      <StillThere left={left} />
    </>
  );
}

const stepOf = (state: Progress['state']): number =>
  state === 'opening' || state === 'awaiting_device' ? 0 : state === 'completed' ? 2 : 1;

type Words = Strings['registering'];

const statusOf = (state: Progress['state'], { opening, waiting, confirming, proving }: Words): string => {
  if (state === 'opening') return opening;
  if (state === 'awaiting_device') return waiting;
  return state === 'awaiting_commitment' ? confirming : proving;
};

function Steps({ at }: { readonly at: number }) {
  const { registering: t } = useTexts();
  return (
    <ol className={style.steps} aria-label={t.label}>
      {t.steps.map((name, step) => {
        const state = step < at ? 'done' : step === at ? 'current' : 'ahead';
        return (
          <li key={name} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
            <span className={style.mark} aria-hidden="true">
              {state === 'done' ? <Check size={18} /> : step + 1}
            </span>
            <span className={style.name}>{name}</span>
            <span className="visually-hidden">: {t.spoken[state]}</span>
          </li>
        );
      })}
    </ol>
  );
}
