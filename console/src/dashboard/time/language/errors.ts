import { isSvcError, SvcError } from '@svc/sdk';
import { useMemo } from 'react';
import { messageOf as englishOf } from '../../../ui/failure';
import { detailsOf } from '../../../ui/forms/form';
import { errorTexts } from './strings';

const NO_RESPONSE = ['timed_out', 'gateway_failed', 'connection_cut', 'internal_error'];

/** The message of an error for people. The service’s own are in English. */
export function messageOf(error: unknown): string {
  if (errorTexts === undefined) return englishOf(error);
  const { codes, unknown, unexpected, invalid } = errorTexts;
  if (!isSvcError(error)) return unexpected;
  if (error.code === 'invalid_request') return invalid;
  const code = NO_RESPONSE.includes(error.code) ? 'unreachable' : error.code;
  return (codes as Readonly<Record<string, string>>)[code] ?? unknown(code);
}

/** The error of a form whose fields say in the reader’s language what is wrong with them. */
export const useSpoken = (error: Error | null): Error | null => useMemo(() => spoken(error), [error]);

function spoken(error: Error | null): Error | null {
  const details = detailsOf(error);
  if (errorTexts === undefined || details.length === 0 || !isSvcError(error)) return error;
  const { fields } = errorTexts as { readonly fields: Readonly<Record<string, string>> };
  return new SvcError(error.code, error.message, {
    ...{ status: error.status, requestId: error.requestId },
    details: details.map(({ path }) => ({
      path,
      message: fields[path.slice(path.lastIndexOf('.') + 1)] ?? fields.other ?? '',
    })),
  });
}
