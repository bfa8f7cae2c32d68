import { Stage } from '../../ui/stage/stage';
import type { Session } from '../flow/api';
import { t } from '../language/strings';

/** The code and its number, or their places while there is none. */
export const Picture = ({
  session,
  isStale,
  hasPhone,
  onShowCode,
}: {
  readonly session: Session | undefined;
  /** The code may not work now. */
  readonly isStale: boolean;
  readonly hasPhone: boolean;
  readonly onShowCode: () => void;
}) => (
  <Stage
    text={session?.qrPayload}
    url={session?.url}
    number={session?.matchCode ?? undefined}
    isStale={isStale}
    isConnected={hasPhone}
    words={t.stage}
    onShowCode={onShowCode}
  />
);
