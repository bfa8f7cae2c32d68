import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { useTexts } from '../language/spoken';
import { type Fault, type FileFormat, faultOf, type InspectionService } from '../service';
import style from './month.module.css';

const FORMATS = ['csv', 'xlsx', 'svc-hours'] as const;

/** The month on paper, and as files. */
export function Actions({
  service,
  month,
  onEnded,
}: {
  readonly service: InspectionService;
  readonly month: string;
  readonly onEnded: () => void;
}) {
  const { actions: t, faults } = useTexts();
  const [fetching, setFetching] = useState<FileFormat>();
  const [fault, setFault] = useState<Fault>();
  const names: Readonly<Record<FileFormat, string>> = { csv: t.csv, xlsx: t.xlsx, 'svc-hours': t.check };
  const fetchFile = async (format: FileFormat) => {
    if (fetching) return;
    setFetching(format);
    setFault(undefined);
    try {
      offer(await service.file(month, format));
    } catch (error) {
      if (faultOf(error) === 'refused') return onEnded();
      setFault(faultOf(error));
    }
    setFetching(undefined);
  };
  return (
    <div className={style.actions}>
      <div className={style.buttons}>
        <Button look="primary" onClick={() => print()}>
          <Printer size={18} aria-hidden="true" />
          {t.print}
        </Button>
        {FORMATS.map((format) => (
          <Button key={format} busy={fetching === format} onClick={() => void fetchFile(format)}>
            {fetching !== format && <Download size={18} aria-hidden="true" />}
            {names[format]}
          </Button>
        ))}
      </div>
      <p>{t.about(<code>svc time verify</code>)}</p>
      {fault && <Notice tone="bad">{faults[fault]}</Notice>}
    </div>
  );
}

/** Gives a file to the browser's downloads. */
function offer(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
