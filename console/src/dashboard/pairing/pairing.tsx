import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '../../ui/forms/button';
import { Page, Stack } from '../../ui/layout/surface';
import { Desktop } from './desktop';
import { LinkPhone } from './link-phone';
import { Sessions } from './sessions';

export function PairingDemo() {
  const [search, setSearch] = useSearchParams();
  const [linking, setLinking] = useState(search.has('link'));
  const close = () => {
    setLinking(false);
    if (search.has('link')) setSearch({}, { replace: true });
  };
  return (
    <Page
      title="Pairing"
      about="People sign in to a desktop with their phone, without a password."
      actions={
        <Button onClick={() => setLinking(true)}>
          <Smartphone size={18} aria-hidden="true" />
          Link a phone
        </Button>
      }
    >
      <Desktop />
      <Stack>
        <h2>Pairing sessions</h2>
        <Sessions />
      </Stack>
      {linking && <LinkPhone onClose={close} />}
    </Page>
  );
}
