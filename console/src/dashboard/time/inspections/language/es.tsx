import type { InspectionTexts } from './en';

/** The Spanish texts of inspections. */
export const es: InspectionTexts = {
  title: 'Inspecciones',
  what: 'las inspecciones',
  about:
    'Una inspección o un comité de empresa lee las horas de este centro sin cuenta propia, con un enlace y un código. Las personas ven en su móvil que alguien las ha consultado.',
  add: 'Permitir una inspección …',
  none: 'Aún no hay inspecciones.',
  more: 'Mostrar más',
  madeBy: (who, when) => (
    <>
      Creada {when} por {who}.
    </>
  ),
  madeWithKey: (when) => <>Creada {when} con una clave de API.</>,
  until: (when) => <>Abierta hasta {when}.</>,
  over: (when) => <>Vencida {when}.</>,
  ended: (when) => <>Terminada {when}.</>,
  looks: (looks) => (looks === 0 ? 'Sin consultas.' : looks === 1 ? '1 consulta.' : `${looks} consultas.`),
  end: 'Terminar',
  endOf: (period) => `Terminar la inspección de ${period}`,
  ending: {
    title: (period) => `¿Terminar la inspección de ${period}?`,
    text: 'El enlace deja de funcionar. Una página abierta termina con su próxima solicitud.',
    action: 'Terminar la inspección',
    done: 'Inspección terminada',
  },
  adding: {
    title: 'Permitir una inspección',
    from: 'Primer mes',
    to: 'Último mes',
    works: 'El enlace funciona',
    hours: { 24: '1 día', 72: '3 días', 168: '7 días', 336: '14 días', 720: '30 días' },
    order: 'El último mes no puede ser anterior al primero.',
    action: 'Crear el enlace y el código',
  },
  made: {
    title: 'El enlace y el código',
    text: 'Entrégalos por dos vías, por ejemplo el enlace por correo y el código por teléfono. Quien tenga ambos lee las horas.',
    link: 'Enlace',
    copyLink: 'Copiar el enlace',
    code: 'Código',
    copyCode: 'Copiar el código',
    once: 'Ambos se muestran solo ahora. Si se pierde uno, termina esta inspección y crea otra.',
    done: 'Hecho',
  },
};
