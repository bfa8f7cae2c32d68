import { QrCode } from '../../ui/codes/qr-code';
import type { Session } from '../flow/api';
import { t } from '../language/strings';
import style from './picture.module.css';

/** The code and its number, or their places while there is none. */
export const Picture = ({
  session,
  isStale,
}: {
  readonly session: Session | undefined;
  /** The code may not work now. */
  readonly isStale: boolean;
}) => (
  <div className={style.picture}>
    <div className={style.code}>
      {session && (
        <QrCode
          text={session.url?.startsWith('https:') ? session.url : session.qrPayload}
          label={t.signIn.code}
          stale={isStale}
          data-qr-payload={session.qrPayload}
          data-match-code={session.matchCode ?? undefined}
        />
      )}
    </div>
    <div className={style.number}>
      <span id="number-label">{t.signIn.number}</span>
      <output aria-labelledby="number-label">{session?.matchCode ?? '\u00a0'}</output>
    </div>
  </div>
);
