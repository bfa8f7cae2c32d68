import type { ReactNode } from 'react';
import { Failure } from '../ui/failure';
import { ButtonAnchor } from '../ui/forms/button';
import { useSending } from '../ui/forms/use-sending';
import { useCan } from './nouns/members/needs';
import { svc } from './operations/api';

/**
 * Downloads a file of the console, for members who may. A failed download shows no error, so it checks first that the session is still valid. `name` is for
 * files that the service does not name.
 */
export function Download({
  href,
  name = '',
  small = false,
  children,
}: {
  readonly href: string;
  readonly name?: string;
  readonly small?: boolean;
  readonly children: ReactNode;
}) {
  const checkSession = useSending({ mutationFn: () => svc.request('consoleGetAccount', {}) });
  if (!useCan('auditor')) return null;
  return (
    <>
      <ButtonAnchor
        href={href}
        small={small}
        download={name}
        onClick={({ nativeEvent, currentTarget: link }) => {
          if (!nativeEvent.isTrusted) return; // The click below.
          nativeEvent.preventDefault();
          checkSession.mutate(undefined, { onSuccess: () => link.click() });
        }}
      >
        {children}
      </ButtonAnchor>
      {checkSession.error && <Failure error={checkSession.error} />}
    </>
  );
}

/** The lists that can be downloaded for a spreadsheet. */
export type CsvList = 'users' | 'devices' | 'verifications' | 'attendance';

/** Downloads the list as it is filtered. */
export const Export = ({
  list,
  query,
}: {
  readonly list: CsvList;
  readonly query: Readonly<Record<string, string | undefined>>;
}) => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return (
    <Download href={`/v1/${list}/export?${new URLSearchParams([...given, ['format', 'csv']])}`}>
      Export
    </Download>
  );
};
