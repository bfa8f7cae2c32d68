import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { Row } from '../../ui/layout/surface';
import { t } from '../language/strings';
import {
  dismissInstall,
  INSTALL_DISMISSED,
  install,
  isInstallDismissed,
  isInstalled,
  isIos,
  useInstallOffer,
} from './install';
import style from './install.module.css';

/** Offers to install the page, until the person declines. Shown only where that is possible. */
export function InstallCard() {
  const offer = useInstallOffer();
  const queries = useQueryClient();
  const { data: isDismissed } = useQuery({ queryKey: INSTALL_DISMISSED, queryFn: isInstallDismissed });
  const dismiss = useMutation({
    mutationFn: dismissInstall,
    onSuccess: () => queries.invalidateQueries({ queryKey: INSTALL_DISMISSED }),
  });
  const byHand = isIos(navigator);
  if (isDismissed !== false || isInstalled() || !(offer || byHand)) return null;
  return (
    <section className={style.card}>
      <Smartphone size={20} aria-hidden="true" />
      <h2>{t.install.title}</h2>
      <p>{offer ? t.install.text : t.install.ios}</p>
      <Row>
        {offer && <Button onClick={() => void install(offer)}>{t.install.action}</Button>}
        <Button look={offer ? 'quiet' : 'plain'} onClick={() => dismiss.mutate()}>
          {t.install.notNow}
        </Button>
      </Row>
    </section>
  );
}
