import type { PairingCode } from '@svc/sdk';
import { readAccountName } from '@svc/sdk/phone';
import { useQuery } from '@tanstack/react-query';
import { Clock, MonitorSmartphone, Network, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Ago, Countdown } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { t } from '../language/strings';
import { nameOf } from '../parts/browser-name';
import { ServiceHost } from '../parts/company/company';
import { hostOf } from '../parts/host';
import { Point, Points } from '../parts/screen/points';
import screen from '../parts/screen/screen.module.css';
import { HISTORY, readHistory } from '../vault/history';
import { type Asked, type Context, warningsAbout } from './asked';
import style from './pair.module.css';

/** The application and the page that ask, or the service's host if the company names neither. */
export function Where({ context }: { readonly context: Context }) {
  const application = readAccountName(context.application);
  if (!application && !context.origin) return <ServiceHost />;
  return (
    <>
      {application && (
        <span className={style.application}>
          <Text of={application} />
        </span>
      )}
      {context.origin && <span className={style.origin}>{hostOf(context.origin)}</span>}
    </>
  );
}

/** What the person should compare with the screen in front of them, and what does not look right. */
export function AskedFrom({
  code,
  asked,
  until,
  children,
}: {
  readonly code: PairingCode;
  readonly asked: Asked;
  readonly until: string;
  /** How the person answers, right below what does not look right. */
  readonly children?: ReactNode;
}) {
  const approvals = useQuery({ queryKey: HISTORY, queryFn: readHistory }).data;
  const { application, openedAt, sameNetwork, device } = asked.context;
  const name = nameOf(asked.context);
  const warnings = approvals === undefined ? [] : warningsAbout(code, asked, approvals);
  return (
    <>
      <p className={screen.about}>{t.pair.onlyYours}</p>
      {device && (
        <div className={style.device} role="note">
          <MonitorSmartphone size={20} aria-hidden="true" />
          <p>
            <strong>{t.pair.device.signsIn(<Text of={application ?? ''} />, device.userCode)}</strong>
            {t.pair.device.compare}
          </p>
        </div>
      )}
      {warnings.length > 0 && (
        <ul className={style.warnings} aria-label={t.pair.warnings.title}>
          {warnings.map((warning) => (
            <li key={warning}>
              <TriangleAlert size={20} aria-hidden="true" />
              <p>{t.pair.warnings[warning]}</p>
            </li>
          ))}
        </ul>
      )}
      {children}
      <Points>
        {name !== undefined && (
          <Point icon={MonitorSmartphone}>
            <strong>{name}</strong>
            <span className={style.left}>{t.pair.claimed}</span>
          </Point>
        )}
        {sameNetwork === null && (
          <Point icon={Network}>
            <strong>{device ? t.pair.device.networkUnknown : t.pair.networkUnknown}</strong>
          </Point>
        )}
        <Point icon={Clock}>
          <strong>{t.pair.opened(<Ago at={openedAt} />)}</strong>
          <span className={style.left}>{t.pair.expires(<Countdown until={until} />)}</span>
        </Point>
      </Points>
    </>
  );
}
