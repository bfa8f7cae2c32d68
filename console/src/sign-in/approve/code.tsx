import { AppWindow, Smartphone } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { Countdown } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import type { SignIn } from '../flow/api';
import { type Action, isConnected, type Stage } from '../flow/stage';
import { t } from '../language/strings';
import style from './code.module.css';
import { Picture } from './picture';
import { useHandheld } from './use-handheld';
import { useOutdated } from './use-outdated';

type Shown = Extract<Stage, { readonly at: 'reading' | 'choosing' | 'opening' | 'waiting' | 'moving' }>;

/** What is signed in to, the code with its number, and other ways to go on. */
export function Code({
  signIn,
  stage,
  dispatch,
}: {
  readonly signIn: SignIn | undefined;
  readonly stage: Shown;
  readonly dispatch: (action: Action) => void;
}) {
  const isHandheld = useHandheld();
  const isOutdated = useOutdated(stage);
  const isMoving = stage.at === 'moving' || (stage.at === 'opening' && stage.sameDevice);
  const hasPhone = isConnected(stage) && !isLost(stage) && !isOutdated;
  const isOnlyHere = signIn?.sameDeviceOnly === true;
  const isHereFirst = isHandheld || isOnlyHere;
  const HereIcon = isHandheld ? Smartphone : AppWindow;
  const approveHere = (
    <Button
      look={isHereFirst ? 'primary' : 'plain'}
      className={isHereFirst ? style.main : undefined}
      busy={isMoving}
      disabled={signIn === undefined}
      onClick={() => dispatch({ type: 'approve-here' })}
    >
      <HereIcon size={18} aria-hidden="true" />
      {isHandheld ? t.signIn.approveHere : t.signIn.approveInBrowser}
    </Button>
  );
  const cancel = (
    <Button disabled={signIn === undefined || isMoving} onClick={() => dispatch({ type: 'cancel' })}>
      {t.cancel}
    </Button>
  );
  return (
    <>
      <Purpose signIn={signIn} />
      {isHereFirst && approveHere}
      {isOnlyHere && <p className={style.only}>{t.signIn.sameDeviceOnly}</p>}
      {!isOnlyHere && (
        <>
          {isHandheld && <p className={style.or}>{t.signIn.otherPhone}</p>}
          <div className={style.scan}>
            {!hasPhone && (
              <div>
                <p>{isHandheld ? t.signIn.scanOther : t.signIn.scan}</p>
                {signIn?.nearbyIfNew && <p className={style.near}>{t.signIn.nearbyIfNew}</p>}
              </div>
            )}
            <Picture
              session={stage.at === 'waiting' ? stage.session : undefined}
              isStale={isLost(stage) || isOutdated}
              hasPhone={hasPhone}
              onShowCode={() => dispatch({ type: 'show-code' })}
            />
            <Status stage={stage} signIn={signIn} isMoving={isMoving} hasPhone={hasPhone} />
            {isOutdated && <Button onClick={() => dispatch({ type: 'new-code' })}>{t.ended.again}</Button>}
          </div>
          {stage.at === 'waiting' && stage.refused && <Notice tone="warn">{t.signIn.refused}</Notice>}
        </>
      )}
      <div className={style.others}>
        {!isHereFirst && approveHere}
        {cancel}
      </div>
    </>
  );
}

const isLost = (stage: Shown): boolean => stage.at === 'waiting' && stage.link === 'lost';

/** What is signed in to, and where the browser goes afterwards. */
const Purpose = ({ signIn }: { readonly signIn: SignIn | undefined }) => (
  <div className={style.purpose}>
    <h1>{signIn ? t.signIn.title(<Text of={signIn.client.name} />) : t.signIn.loading}</h1>
    <p>
      {signIn === undefined
        ? '\u00a0'
        : signIn.host === null
          ? t.signIn.otherDevice
          : t.signIn.returnsTo(<Text of={signIn.host} />)}
    </p>
  </div>
);

/** How the wait is going. Screen readers read changes, but not the time left. */
const Status = ({
  stage,
  signIn,
  isMoving,
  hasPhone,
}: {
  readonly stage: Shown;
  readonly signIn: SignIn | undefined;
  readonly isMoving: boolean;
  readonly hasPhone: boolean;
}) => (
  <div className={style.status} data-lost={isLost(stage) ? '' : undefined}>
    <span className={style.dot} aria-hidden="true" />
    <p role="status">{isMoving ? t.signIn.moving : textOf(stage, hasPhone)}</p>
    {stage.at === 'waiting' && signIn && !isLost(stage) && (
      <span className={style.left}>
        {t.signIn.expiresIn(<Countdown until={earlier(stage.session.expiresAt, signIn.expiresAt)} />)}
      </span>
    )}
  </div>
);

const textOf = (stage: Shown, hasPhone: boolean): string => {
  if (stage.at !== 'waiting') return t.signIn.opening;
  if (isLost(stage)) return t.signIn.lost;
  return hasPhone ? t.signIn.approving : t.signIn.waiting;
};

const earlier = (one: string, other: string): string => (Date.parse(one) < Date.parse(other) ? one : other);
