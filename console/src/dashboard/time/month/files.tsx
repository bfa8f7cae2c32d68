import type { Site } from '@svc/sdk';
import { Download as DownloadIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Row } from '../../../ui/layout/stack';
import { Notice } from '../../../ui/layout/surface';
import { Download } from '../../download';
import { useEnvironment } from '../../operations/environment';
import { t } from '../language/strings';
import { nameOfMonth } from '../parts/months';
import { Person } from '../parts/person';
import { useSheets } from '../parts/use-sheets';
import style from './month.module.css';

interface OfMonth {
  readonly site: Site;
  readonly month: string;
}

/** The month as files of the whole site. The log says who took one, and people see it on their phones. */
export function Files({ site, month }: OfMonth) {
  const [isPaying, setPaying] = useState(false);
  const hrefOf = useHref(site.id, month);
  return (
    <>
      <Download href={hrefOf('csv')}>
        <DownloadIcon size={16} aria-hidden="true" />
        {t.files.csv}
      </Download>
      <Download href={hrefOf('xlsx')}>{t.files.excel}</Download>
      <Button onClick={() => setPaying(true)}>{t.files.payroll}</Button>
      {isPaying && <Payroll site={site} month={month} onClose={() => setPaying(false)} />}
    </>
  );
}

function useHref(siteId: string, month: string) {
  const environment = useEnvironment();
  return (format: 'csv' | 'xlsx' | 'payroll') =>
    `/v1/attendance/sheets?${new URLSearchParams({ environment, siteId, month, format }).toString()}`;
}

/** Says before the file who has no number in it. All people are read for that. */
function Payroll({ site, month, onClose }: OfMonth & { readonly onClose: () => void }) {
  const href = useHref(site.id, month)('payroll');
  const { sheets = [], error, hasNextPage, isFetching, fetchNextPage, refetch } = useSheets(site.id, month);
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);
  const isLoaded = !hasNextPage && !isFetching && !error;
  const unnumbered = sheets.filter(
    ({ employeeCode, sheet }) => employeeCode === null && sheet.totals.minutes > 0,
  );
  return (
    <Dialog title={t.files.title(nameOfMonth(month))} onClose={onClose}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!isLoaded && !error && <p role="status">{t.files.looking}</p>}
      {isLoaded &&
        (unnumbered.length === 0 ? (
          <p>{t.files.numbered}</p>
        ) : (
          <Notice tone="warn">
            <p>
              <strong>{t.files.unnumbered(unnumbered.length)}</strong> {t.files.last}
            </p>
            <ul className={style.names}>
              {unnumbered.map(({ userId, name }) => (
                <li key={userId}>
                  <Person name={name} />
                </li>
              ))}
            </ul>
          </Notice>
        ))}
      <p>{t.files.about(<strong>{site.payroll?.workType ?? 'work'}</strong>)}</p>
      <DialogActions>
        <Button onClick={onClose}>{t.close}</Button>
        {isLoaded && (
          <Row>
            <Download href={href}>
              <DownloadIcon size={16} aria-hidden="true" />
              {t.files.download}
            </Download>
          </Row>
        )}
      </DialogActions>
    </Dialog>
  );
}
