import type { RegistrationSession } from '@svc/sdk';
import { Check } from 'lucide-react';
import { Stage } from '../../../ui/stage/stage';
import type { DeskService } from '../../device/service';
import type { Progress } from '../../flow/follow-registration';
import type { Ending } from '../../flow/scene';
import { useIdle } from '../../flow/use-idle';
import { type Subject, useRegistration } from '../../flow/use-registration';
import type { PhoneStrings } from '../../language/en-phone';
import { usePhoneTexts } from '../../language/phone';
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
  onIdle = onLeave,
}: {
  readonly service: DeskService;
  readonly subject: Subject;
  readonly idleSeconds: number;
  readonly onDone: (session: RegistrationSession | undefined) => void;
  /** The same person with a new code. Undefined if it is not known who they are. */
  readonly onAgain: (() => void) | undefined;
  readonly onEnded: (how: Ending) => void;
  readonly onError: (error: unknown) => void;
  readonly onLeave: () => void;
  /** Nobody is here. Default: `onLeave`. */
  readonly onIdle?: () => void;
}) {
  const t = usePhoneTexts();
  const {
    state,
    code,
    url,
    expiresAt,
    isOpened = false,
    isLost,
    cancel,
  } = useRegistration(service, subject, {
    ended({ outcome, session }) {
      if (outcome === 'completed' || outcome === 'pending_recovery') onDone(session);
      else if (outcome === 'gone') onLeave();
      else onEnded(outcome);
    },
    error: onError,
  });
  const cancelAnd = (go: () => void) => () => {
    cancel();
    go();
  };
  const isConnected = isOpened || (state !== 'opening' && state !== 'awaiting_device');
  const left = useIdle(isConnected ? WITH_PHONE_S : idleSeconds, `${state} ${isOpened}`, onIdle);
  return (
    <>
      <Waiting
        title={isConnected ? t.registering.titleConnected : t.registering.title}
        code={isConnected || isLost ? undefined : code}
        onCancel={cancelAnd(onLeave)}
      >
        <Steps at={isConnected ? Math.max(1, stepOf(state)) : 0} />
        <Stage
          text={code}
          url={url}
          number={null}
          isStale={isLost}
          isConnected={isConnected}
          words={{ ...t.stage, goOn: statusOf(state, isConnected, t), showCode: t.registering.newCode }}
          onShowCode={onAgain && cancelAnd(onAgain)}
        >
          {(isLost || !isConnected) && (
            <Status isLost={isLost} until={expiresAt}>
              {isLost ? t.registering.lost : statusOf(state, isConnected, t)}
            </Status>
          )}
        </Stage>
      </Waiting>
      <StillThere left={left} />
    </>
  );
}

const stepOf = (state: Progress['state']): number =>
  state === 'opening' || state === 'awaiting_device' ? 0 : state === 'completed' ? 2 : 1;

/** How the wait is going: below the code, or in its place once a phone has opened it. */
const statusOf = (
  state: Progress['state'],
  isConnected: boolean,
  { registering: t }: PhoneStrings,
): string => {
  if (state === 'opening') return t.opening;
  if (!isConnected) return t.waiting;
  return state === 'awaiting_verification' ? t.proving : t.confirming;
};

function Steps({ at }: { readonly at: number }) {
  const { registering: t } = usePhoneTexts();
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
