import { isSvcError } from '@svc/sdk';
import { Link } from 'react-router';
import { Failure } from '../../ui/failure';
import { detailsOf } from '../../ui/forms/form';
import { Notice } from '../../ui/layout/surface';
import { accountPage } from '../paths';

/** Why a sign-in ended, in words for the person at the desktop. */
export function NotSignedIn({ error }: { readonly error: unknown }) {
  if (isSvcError(error, 'pairing_match_failed'))
    return (
      <Notice tone="bad">
        A phone approved with a number that this page did not show. Nobody was signed in. Show a new code and
        type the number next to it.
      </Notice>
    );
  if (isSvcError(error, 'pairing_session_closed'))
    return (
      <Notice tone="bad">
        The person with the phone declined: it was not their sign-in. Nobody was signed in.
      </Notice>
    );
  if (isSvcError(error, 'new_browser_refused'))
    return (
      <Notice tone="warn">
        Your policy asks for the phone beside a new browser, and only the hosted sign-in page and enrolled
        devices can do that. This page can’t, so it would sign nobody in. See{' '}
        <Link to={accountPage('security')}>Policy</Link>.
      </Notice>
    );
  if (detailsOf(error).some(({ path }) => path === 'body.sameDevice'))
    return (
      <Notice tone="warn">
        Your policy allows signing in only on the phone itself, so a code on this page would sign nobody in.
        Change it under <Link to={accountPage('security')}>Policy</Link>.
      </Notice>
    );
  return <Failure error={error} />;
}
