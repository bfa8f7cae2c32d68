import { ids } from '../../model/example-fixtures.js';
import { Environment, strictObject, uuid } from '../../records/schema.js';
import { Did, singleUseProof } from '../proofs/proofs.js';

const proved = { tenantId: uuid(ids.tenant), environment: Environment, did: Did, ...singleUseProof };

export const PhoneListBody = strictObject(proved, 'PhoneBrowserListParams');
export const PhoneForgetBody = strictObject(
  { ...proved, browserId: uuid(ids.browser) },
  'PhoneBrowserForgetParams',
);
