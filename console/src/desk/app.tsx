import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { WordsContext } from '../ui/words';
import type { Claim } from './device/claim';
import { type KeptDevice, readDevice } from './device/kept-device';
import { DeskService } from './device/service';
import { useWakeLock } from './flow/use-wake-lock';
import { device as deviceLanguage, LanguageContext, localeOf, textsIn } from './language/language';
import { Desk } from './views/desk';
import { Frame } from './views/frame';
import { useLater } from './views/use-later';

/** A screen that registers people and signs them in, or that is set up to do so. */
export function App({ claim }: { readonly claim: Claim | undefined }) {
  /** Undefined while it is read, null if this browser is no desk. */
  const [device, setDevice] = useState<KeptDevice | null>();
  const [language, setLanguage] = useState(deviceLanguage.language);
  const texts = textsIn(language);
  const words = useMemo(() => ({ ...texts.shared, locale: localeOf(language) }), [texts, language]);
  const service = useMemo(() => (device ? new DeskService(device) : undefined), [device]);
  const later = useLater();
  useWakeLock();
  useLayoutEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    void readDevice()
      .catch(() => undefined)
      .then((found) => setDevice(found ?? null));
  }, []);
  return (
    <LanguageContext value={language}>
      <WordsContext value={words}>
        {service ? (
          <Desk
            key={service.device.deviceId}
            service={service}
            onLanguage={setLanguage}
            onFree={() => setLanguage(deviceLanguage.language)}
            onLeft={() => setDevice(null)}
          />
        ) : device === null && later ? (
          <later.SetUp claim={claim} onLanguage={setLanguage} onDone={setDevice} />
        ) : (
          <Frame onLanguage={setLanguage} />
        )}
      </WordsContext>
    </LanguageContext>
  );
}
