import { Closed } from './approve/closed';
import { SignIn } from './approve/sign-in';
import type { Returned } from './flow/stage';
import type { PageData } from './page-data';
import { Device } from './views/device';
import { DeviceConfirm } from './views/device-confirm';
import { DeviceDone } from './views/device-done';
import { ErrorView } from './views/error';
import { SignOut } from './views/sign-out';
import { SignedOut } from './views/signed-out';

/** The view that the service wrote into the page, or the sign-in of its address. */
export function App({
  data,
  uid,
  returned,
}: {
  readonly data: PageData | undefined;
  readonly uid: string | undefined;
  readonly returned: Returned | 'other_tab' | undefined;
}) {
  switch (data?.view) {
    case 'error':
      return <ErrorView {...data} />;
    case 'sign_out':
      return <SignOut {...data} />;
    case 'signed_out':
      return <SignedOut {...data} />;
    case 'device':
      return <Device {...data} />;
    case 'device_confirm':
      return <DeviceConfirm {...data} />;
    case 'device_done':
      return <DeviceDone {...data} />;
    case undefined:
      return uid === undefined ? <Closed /> : <SignIn uid={uid} returned={returned} />;
  }
}
