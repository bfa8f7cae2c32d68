import type { Site } from '@svc/sdk';
import { Link } from 'react-router';
import { CheckPanel, type OpenFile } from '../../../../hours-check/check-panel';
import { loadSpoken } from '../../../../hours-check/language/load';
import type { Spoken } from '../../../../hours-check/language/spoken';
import { Failure } from '../../../../ui/failure';
import { useSending } from '../../../../ui/forms/use-sending';
import { Download } from '../../../download';
import { useAccount } from '../../../operations/account';
import { useEnvironment } from '../../../operations/environment';
import { recordIn } from '../../../paths';
import { language, locale } from '../../language/strings';
import { Person } from '../../parts/person';

interface OfMonth {
  readonly site: Site;
  readonly month: string;
}

/** The panel that checks a month, once its texts are loaded. */
export async function loadCheck() {
  const spoken = await loadSpoken(language, locale);
  return (props: OfMonth) => <Check {...props} spoken={spoken} />;
}

function Check({ site: { id: siteId }, month, spoken }: OfMonth & { readonly spoken: Spoken }) {
  const environment = useEnvironment();
  const tenantId = useAccount().data?.tenant.id;
  const query = { environment, siteId, month, format: 'svc-hours' } as const;
  const { mutateAsync } = useSending({
    mutationFn: async ([from, signal]: Parameters<OpenFile>) => {
      const { wholeSvc } = await import('../../../operations/whole-svc');
      const response = await wholeSvc.attendance.sheets.file({ ...query, from }, { signal });
      return response.body as ReadableStream<Uint8Array>;
    },
  });
  return (
    <CheckPanel
      spoken={spoken}
      log={`${tenantId} ${environment}`}
      open={(...asked) => mutateAsync(asked)}
      failure={(error, onRetry) => <Failure error={error} onRetry={onRetry} />}
      download={(text) => (
        <Download href={`/v1/attendance/sheets?${new URLSearchParams(query).toString()}`}>{text}</Download>
      )}
      person={(userId, name) => (
        <Link
          to={`${recordIn(environment, 'month', userId)}?${new URLSearchParams({ siteId, month }).toString()}`}
        >
          {name === undefined ? <code>{userId}</code> : <Person name={name} />}
        </Link>
      )}
    />
  );
}
