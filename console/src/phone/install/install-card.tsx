import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Smartphone, X } from 'lucide-react';
import { Button } from '../../ui/forms/button';
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
      <p>{offer ? t.install.title : t.install.ios}</p>
      {offer && <Button onClick={() => void install(offer)}>{t.install.action}</Button>}
      <Button look="quiet" aria-label={t.install.notNow} onClick={() => dismiss.mutate()}>
        <X size={18} aria-hidden="true" />
      </Button>
    </section>
  );
}
