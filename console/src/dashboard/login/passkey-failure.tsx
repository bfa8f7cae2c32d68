import { isSvcError } from '@svc/sdk';
import { Failure } from '../../ui/failure';
import { Notice } from '../../ui/layout/surface';

/** The service rejects the passkeys of people who were removed, and those that were removed, in the words of a wrong password. */
export const PasskeyFailure = ({ error }: { readonly error: unknown }) =>
  isSvcError(error, 'invalid_credentials') ? (
    <Notice tone="bad">This passkey doesn’t work here any more. Log in with your password.</Notice>
  ) : (
    <Failure error={error} />
  );
