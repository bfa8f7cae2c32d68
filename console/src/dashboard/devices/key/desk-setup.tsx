import { MonitorSmartphone } from 'lucide-react';
import { ButtonAnchor } from '../../../ui/forms/button';
import { CopyButton } from '../../../ui/forms/copy';
import { Row } from '../../../ui/layout/stack';

/** Where a screen becomes the desk of this device. What is behind the `#` is sent to nobody. */
export const deskAddress = ({ code, deviceId }: { readonly code: string; readonly deviceId: string }) =>
  `${location.origin}/desk#code=${code}&device=${deviceId}`;

/** Opens the desk here, or hands its address on. */
export const DeskSetup = ({ address }: { readonly address: string }) => (
  <Row gap={3}>
    <ButtonAnchor look="primary" href={address} target="_blank" rel="noopener">
      <MonitorSmartphone size={18} aria-hidden="true" />
      Open the desk on this screen
    </ButtonAnchor>
    <CopyButton text={address} label="Copy the address" />
  </Row>
);
