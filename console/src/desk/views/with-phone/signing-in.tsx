import { useState } from 'react';
import { Notice } from '../../../ui/layout/surface';
import { Stage } from '../../../ui/stage/stage';
import type { DeskService } from '../../device/service';
import type { Ending } from '../../flow/scene';
import { useIdle } from '../../flow/use-idle';
import { useSignIn } from '../../flow/use-sign-in';
import { usePhoneTexts } from '../../language/phone';
import { StillThere } from '../still-there';
import { Status, Waiting } from './waiting';

/** The code ends after five minutes. Until then, the person may look only at their phone. */
const WITH_PHONE_S = 330;

/** A code and a number. */
export function SigningIn({
  service,
  idleSeconds,
  onDone,
  onEnded,
  onError,
  onLeave,
}: {
  readonly service: DeskService;
  readonly idleSeconds: number;
  readonly onDone: (name: string | null) => void;
  readonly onEnded: (how: Ending) => void;
  readonly onError: (error: unknown) => void;
  readonly onLeave: () => void;
}) {
  const t = usePhoneTexts();
  const { pairing, code, url, phones, isLost, isRefused } = useSignIn(service, {
    signedIn: onDone,
    ended: onEnded,
    error: onError,
  });
  /** How many phones were somebody else's, so that the code came back. */
  const [dismissed, setDismissed] = useState(0);
  const isConnected = phones > dismissed && !isRefused;
  const left = useIdle(isConnected ? WITH_PHONE_S : idleSeconds, `${pairing?.id} ${phones}`, onLeave);
  return (
    <>
      <Waiting
        title={isConnected ? t.signingIn.titleConnected : t.signingIn.title}
        code={isConnected || isLost ? undefined : code}
        onCancel={onLeave}
      >
        <Stage
          text={code}
          url={url}
          number={pairing?.matchCode}
          isStale={isLost}
          isConnected={isConnected && !isLost}
          words={t.stage}
          onShowCode={() => setDismissed(phones)}
        >
          {(isLost || !isConnected) && (
            <Status isLost={isLost} until={pairing?.expiresAt}>
              {isLost ? t.registering.lost : pairing ? t.signingIn.waiting : t.registering.opening}
            </Status>
          )}
        </Stage>
        {isRefused && <Notice tone="warn">{t.signingIn.refused}</Notice>}
      </Waiting>
      <StillThere left={left} />
    </>
  );
}
