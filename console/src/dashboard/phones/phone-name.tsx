import type { UserIdentity } from '@svc/sdk';
import { Reference } from '../nouns/reference';

export const PhoneName = ({ identity: { deviceId, deviceName } }: { readonly identity: UserIdentity }) =>
  deviceId === null ? 'Phone' : <Reference to="devices" id={deviceId} name={deviceName} />;
