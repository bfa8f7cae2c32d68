import type { TimeTexts } from './en';
import type { ErrorTexts } from './error-texts';

const people = (count: number) => (count === 1 ? '1 persona' : `${count} personas`);

/** The Spanish texts of the room. */
export const es: TimeTexts = {
  shared: {
    cancel: 'Cancelar',
    close: 'Cerrar',
    tryAgain: 'Reintentar',
    tryAgainIn: (seconds) => `Reintentar en ${seconds} s`,
    request: 'Solicitud',
    never: 'nunca',
    justNow: 'ahora mismo',
    expired: 'caducado',
    lists: {
      loading: (name) => `Cargando: ${name}`,
      shownAll: (count) => `Mostrando ${count} de ${count}`,
      shownFirst: (count) => `Mostrando los primeros ${count}`,
      shown: (count, total, isExact) => `Mostrando ${count} de ${isExact ? '' : 'más de '}${total}`,
      shownSoFar: (count) => `Encontrados hasta ahora: ${count}. Aún queda por buscar.`,
      more: 'Mostrar más',
      further: 'Seguir buscando',
      noResults: 'Sin resultados',
      noMatch: 'Nada coincide con los filtros.',
      clear: 'Quitar los filtros',
      all: 'Todos',
      filters: 'Filtros',
      set: 'activos',
      results: 'Ver los resultados',
    },
    copied: 'Copiado',
    copyYourself: 'Selecciónalo y cópialo tú',
  },

  print: 'Imprimir',
  done: 'Hecho',
  save: 'Guardar',
  close: 'Cerrar',
  erased: 'Persona eliminada',
  member: 'un miembro',
  formerMember: 'alguien que ya no es miembro',
  none: 'sin datos',

  acts: { come: 'Entrada', go: 'Salida', beginBreak: 'Inicio de la pausa', endBreak: 'Fin de la pausa' },
  causes: {
    forgotten: 'Olvido',
    wrong_time: 'Hora equivocada',
    wrong_type: 'Tipo de fichaje equivocado',
    double: 'Registrado dos veces',
    not_present: 'No estaba',
    device_failed: 'Falló el móvil o el puesto',
    other: 'Otro motivo',
  },
  evidence: {
    proved: 'probado con el móvil',
    declared: 'declarado',
    agreed: 'acordado',
    asserted: 'anotado por una clave o un miembro',
  },
  changes: { label: 'Cambios', nothing: 'nada', becomes: 'pasa a ser' },
  months: { label: 'Mes', before: 'Mes anterior', after: 'Mes siguiente', choice: 'Centro y mes' },

  site: {
    label: 'Centro',
    many: 'los centros',
    otherEnvironment: 'Tus permisos son para centros del otro entorno.',
  },
  off: {
    title: 'El registro de jornada está desactivado',
    text: 'El primer centro lo activa en este entorno. Desde entonces, la plantilla ficha con el móvil y nadie puede editar lo fichado: una corrección necesita el sí de la persona y el de la empresa. Los fichajes de los demás solo los ven aquí los miembros con un permiso sobre las horas. Las claves de API que leen la asistencia la siguen leyendo. Aparecerán en una lista al crear el centro.',
    create: 'Crear el primer centro',
  },
  noRight: {
    text: (hours, representative) => (
      <>
        Solo los miembros con el permiso {hours} o {representative} ven las horas de los demás.
      </>
    ),
    owner: (team) => <>Puedes dar estos permisos en la página {team}, también a ti.</>,
    ask: 'El propietario de la cuenta te puede dar uno.',
  },

  here: {
    title: 'Presentes',
    about: (site, time) => `${site}, lista de las ${time}. Se vuelve a leer cada cinco minutos.`,
    again: 'Volver a leer',
    what: 'quién está',
    howMany: 'Cuántos',
    count: 'en el centro',
    countOnBreak: 'de ellos en pausa',
    countAbsent: 'ausentes hoy',
    nobody: 'No hay nadie en el centro.',
    list: 'En el centro',
    name: 'Nombre',
    since: 'Desde',
    desk: 'Puesto',
    state: 'Estado',
    absent: 'Ausentes hoy',
    atWork: 'Trabajando',
    onBreak: 'En pausa',
    stale: 'Más de 16 horas',
    staleWhy: 'Entró hace más de 16 horas y quizá olvidó fichar la salida.',
    old: (time, age) => `Esta lista es del ${time} (${age}).`,
    offline:
      'No hay conexión, así que falta quien haya entrado o salido después. Puedes imprimirla. Se volverá a leer en cuanto sea posible.',
    unanswered:
      'El servicio no responde, así que falta quien haya entrado o salido después. Puedes imprimirla. Se volverá a leer en cuanto sea posible.',
    kept: 'No hay conexión. Este navegador guardó la lista para una emergencia, así que falta quien haya entrado o salido después. La borra al cerrar la sesión y a las 36 horas.',
    nothingKept: 'No hay conexión, y este navegador no guarda ninguna lista de este centro.',
    tryAgain: 'Reintentar',
  },
  evacuation: {
    label: 'Lista de evacuación',
    title: (site) => `Quién está en el centro: ${site}`,
    about: (when, zone, count) => (
      <>
        Lista del {when} ({zone}), {people(count)}
      </>
    ),
    onBreak: 'en pausa',
    stale: 'más de 16 horas',
    missing: 'En esta lista no están las visitas ni quien no haya fichado en un puesto.',
    found: 'Todos localizados a las',
    signature: 'Nombre y firma',
  },

  month: {
    title: 'Mes',
    about:
      'Cuentan los minutos que muestra la hoja de horas. No se redondea nada, y lo que no encaja lleva un aviso.',
    what: 'las hojas de horas',
    empty: 'Aquí todavía no trabaja nadie',
    emptyText: 'Aquí aparece quien tiene este centro, o quien ficha en uno de sus puestos.',
    more: 'Mostrar más personas',
    hours: 'Horas por persona y día',
    person: 'Persona',
    flags: 'Avisos',
    total: 'Total',
    people,
    contested: (count) => (count === 1 ? '1 impugnado' : `${count} impugnados`),
    legend: 'Qué significan los signos',
    flag: 'Hay algo que revisar',
    plus: 'Solo anotado por una clave o un miembro, así que no cuenta',
    mark: 'Una anotación, por ejemplo vacaciones',
  },
  closing: {
    title: 'Cierre del mes',
    what: 'los cierres',
    close: 'Cerrar el mes…',
    again: 'Volver a cerrar…',
    notClosed: 'Este mes no está cerrado.',
    notOver: 'Este mes se podrá cerrar cuando termine.',
    flags: (count) =>
      count === 0
        ? 'No hay avisos pendientes.'
        : count === 1
          ? 'Hay 1 aviso pendiente.'
          : `Hay ${count} avisos pendientes.`,
    versions: 'Versiones',
    version: (version) => `Versión ${version}`,
    closedBy: (when, who) => (
      <>
        , cerrada el {when} por {who}
      </>
    ),
    closedWithKey: (when) => <>, cerrada el {when} con una clave de API</>,
    unchanged: 'Ninguna hoja ha cambiado desde la versión anterior.',
    changed: (names) => <>Han cambiado desde la versión anterior: {names}.</>,
    others: (count) => `${count} más`,
    sheets: (count) => (count === 1 ? '1 hoja, huella ' : `${count} hojas, huella `),
    copyRoot: 'Copiar la huella',
    dialog: (month) => `Cerrar ${month}`,
    openFlags: 'Avisos pendientes',
    about:
      'El registro de auditoría recibe un sello de todas las hojas de este mes. Las horas se pueden seguir corrigiendo y el mes se puede volver a cerrar: será la versión siguiente, que dice de quién son las hojas que han cambiado.',
    action: 'Cerrar el mes',
    actionWith: (count) =>
      count === 1 ? 'Cerrar con 1 aviso pendiente' : `Cerrar con ${count} avisos pendientes`,
    closed: (month) => `Cerrado: ${month}`,
  },
  files: {
    csv: 'CSV',
    excel: 'Excel',
    payroll: 'Nómina…',
    title: (month) => `Archivo de nómina de ${month}`,
    looking: 'Buscando personas sin número de personal…',
    numbered: 'Todas las personas con horas tienen número de personal.',
    unnumbered: (count) =>
      count === 1
        ? '1 persona no tiene número de personal.'
        : `${count} personas no tienen número de personal.`,
    last: 'Sus filas van al final del archivo, sin número. Ponlo en la página de la persona.',
    about: (type) => (
      <>
        El archivo tiene una fila por persona y día, con el concepto {type}. No incluye lo que solo ha anotado
        una clave o un miembro.
      </>
    ),
    download: 'Descargar el archivo de nómina',
  },

  pin: {
    take: 'Retirar el PIN…',
    title: (name) => `¿Retirar el PIN de ${name}?`,
    text: 'La persona ya no podrá fichar en un terminal con su número y su PIN, y lo verá en su móvil. Un miembro puede darle otro en el terminal.',
    action: 'Retirar el PIN',
    done: 'El PIN se ha retirado',
  },
  sheet: {
    label: 'Hoja de horas',
    what: 'el mes',
    person: 'La persona',
    everybody: 'El mes de todos',
    missing: 'Esta persona no tiene hoja de horas en este centro y este mes.',
    day: 'Día',
    shifts: 'Entrada – salida',
    breaks: 'Pausas',
    breakTime: 'Tiempo de pausa',
    hours: 'Horas',
    notes: 'Avisos',
    actions: 'Acciones',
    correct: (day) => `Corregir ${day}`,
    mark: (day) => `Anotación para ${day}`,
    number: (code) => `Número de personal ${code}`,
    noNumber: 'Sin número de personal',
    rules: (country) => `reglas de ${country}`,
    total: 'Total',
    days: (count) => (count === 1 ? '1 día' : `${count} días`),
    events: (list) => `Fichajes: ${list}.`,
    proved: (count) => `${count} ${count === 1 ? 'probado' : 'probados'} con el móvil de la persona`,
    declared: (count) =>
      `${count} ${count === 1 ? 'declarado' : 'declarados'} con un PIN o junto a un miembro`,
    agreed: (count) => `${count} ${count === 1 ? 'acordado' : 'acordados'} en una corrección`,
    asserted: (count) =>
      `${count} ${count === 1 ? 'anotado' : 'anotados'} solo por una clave o un miembro (sin contar)`,
    contested: (count) => `${count} ${count === 1 ? 'impugnado' : 'impugnados'} por la persona`,
    counted:
      'Cuentan los minutos que muestra esta hoja. No se redondea nada ni se descuenta ninguna pausa que nadie haya hecho.',
    signed: (name) => <>Fecha, {name}</>,
    signedForCompany: 'Fecha, por la empresa',
  },
  propose: {
    title: (day) => `Corregir ${day}`,
    what: 'los fichajes del día',
    events: 'Fichajes',
    empty: 'No hay fichajes en este día.',
    fate: (event) => `Qué pasa con «${event}»`,
    keep: 'Mantener',
    change: 'Cambiar',
    remove: 'Quitar',
    added: 'Un fichaje nuevo',
    leaveOut: 'Descartar el fichaje nuevo',
    event: 'Fichaje',
    time: 'Hora en el centro',
    add: 'Añadir un fichaje',
    cause: 'Motivo',
    note: 'Nota',
    noteHint: 'Opcional. La persona la lee.',
    about: 'Proponerla es el sí de la empresa. Las horas cambian cuando la persona también la acepta.',
    action: 'Proponer la corrección',
    done: 'Propuesta. La persona decide en su móvil o con su PIN.',
  },
  mark: {
    title: (day) => `Anotación para ${day}`,
    about:
      'Una anotación dice por qué un día es como es, por ejemplo vacaciones. La hoja la muestra y nunca la cuenta. Los demás solo ven que la persona está ausente.',
    marks: 'Anotaciones del día',
    remove: (mark) => `Quitar «${mark}»`,
    removed: 'Anotación quitada',
    code: 'Anotación',
    codeHint:
      'Letras sin tilde, cifras, puntos y guiones. No digas más de lo necesario: «ausente» suele bastar.',
    suggestions: ['ausente', 'vacaciones', 'festivo', 'curso'],
    source: 'Quién lo dice',
    sourceDefault: 'RR. HH.',
    action: 'Añadir la anotación',
    added: 'Anotación añadida',
  },

  corrections: {
    title: 'Correcciones',
    about:
      'Una corrección cuenta cuando la han aceptado la persona y la empresa. Hasta entonces, y si alguien la rechaza, no cambia nada.',
    company: 'Pendientes de la empresa',
    person: 'Pendientes de la persona',
    counted: (title, count) => `${title} (${count})`,
    nothing: 'Nada pendiente de la empresa.',
    choose: 'Elegir esta corrección',
    chooseAll: 'Elegir todas',
    chooseNone: 'No elegir ninguna',
    chosen: (count) => (count === 1 ? '1 elegida' : `${count} elegidas`),
    agree: 'Aceptar',
    contest: 'Rechazar',
    agreeAll: 'Aceptar las elegidas',
    contestAll: 'Rechazar las elegidas',
    agreed: (count) => (count === 1 ? '1 corrección aceptada' : `${count} correcciones aceptadas`),
    contested: (count) => (count === 1 ? '1 corrección rechazada' : `${count} correcciones rechazadas`),
    failed: (count) =>
      count === 1
        ? 'No se ha podido decidir 1 corrección.'
        : `No se han podido decidir ${count} correcciones.`,
    byPhone: 'Propuesta por la persona en su móvil',
    byPin: 'Propuesta por la persona con su PIN',
    byMember: (name) => <>Propuesta por {name}</>,
    quoted: (cause, note) => (
      <>
        {cause}: «{note}»
      </>
    ),
    withdraw: 'Retirar',
    withdrawTitle: '¿Retirar esta corrección?',
    withdrawText: 'Desaparece del móvil de la persona. Las horas se quedan como están. Puedes proponer otra.',
    withdrawn: 'Corrección retirada',
    record: 'Anotarla',
    recordTitle: '¿Anotarla sin el acuerdo de la persona?',
    recordText:
      'Los fichajes nuevos se añaden como anotados por la empresa. Lo que fichó la persona se conserva y cuenta. Las hojas muestran las dos cosas, y el móvil de la persona lo dice. No se puede deshacer.',
    recorded: 'Anotada',
    all: 'Todas las correcciones',
    columns: {
      person: 'Persona',
      changes: 'Cambios',
      cause: 'Motivo',
      state: 'Estado',
      actions: 'Acciones',
    },
    states: {
      proposed: 'Pendiente',
      agreed: 'Aceptada',
      contested: 'Rechazada',
      unanswered: 'Sin respuesta',
      withdrawn: 'Retirada',
    },
    empty: 'No hay correcciones',
    emptyText: 'La plantilla las propone desde el móvil, y tú desde la página con el mes de la persona.',
  },

  sites: {
    title: 'Centros',
    add: 'Añadir un centro',
    columns: {
      name: 'Nombre',
      country: 'País',
      zone: 'Zona horaria',
      from: 'Dónde se ficha',
      kept: 'Conservación',
      actions: 'Acciones',
    },
    months: (count) => (count === 1 ? '1 mes' : `${count} meses`),
    edit: (name) => `Editar ${name}`,
    editTitle: (name) => <>Editar «{name}»</>,
    closedMonths: 'Los meses cerrados conservan la zona horaria que tenían.',
    saved: 'Centro guardado',
    first: 'Crear el primer centro',
    turnOn: 'Activar el registro de jornada',
    addThe: 'Añadir el centro',
    created: 'Centro creado',
    on: 'El registro de jornada está activado',
    give: (hours, representative, team) => (
      <>
        En la página {team}, da el permiso {hours} a quien trabaje con las horas, y {representative} a quien
        las lea en nombre de otros.
      </>
    ),
    place: (site, desks, of) => (
      <>
        Elige {site} como ubicación de sus {desks} y como centro de sus {of}.
      </>
    ),
    desks: 'puestos',
    people: 'personas',
    clockIn: 'La plantilla ficha con el móvil.',
    noKeys: 'Ninguna clave de API lee la asistencia.',
    keys: (count, page) => (
      <>
        {count === 1 ? '1 clave de API sigue leyendo' : `${count} claves de API siguen leyendo`} la asistencia
        de todos. Revoca las que no deban hacerlo en la página {page}.
      </>
    ),
    keysLabel: 'Claves que leen la asistencia',
  },
  siteFields: {
    name: 'Nombre',
    nameHint: 'Un lugar de trabajo, por ejemplo Planta Norte.',
    country: 'País',
    countryHint:
      'Para Alemania y España, las hojas avisan de pausas, descansos y jornadas que conviene revisar.',
    zone: 'Zona horaria',
    zoneHint: 'Escribe una ciudad para buscar. Los días y los meses del centro empiezan a su medianoche.',
    from: 'Dónde se ficha',
    desk: 'En un puesto',
    deskAbout: 'Escaneando el código de un puesto del centro.',
    anywhere: 'En cualquier lugar',
    anywhereAbout: 'También en el propio móvil, sin puesto. Esos fichajes no cuentan como en el centro.',
    breaks: 'El móvil ofrece pausas',
    breaksHint: 'Cada persona empieza y termina sus pausas. Nunca se descuenta una que nadie haya hecho.',
    kept: 'Meses que se conservan las horas',
    keptHint: 'Meses enteros, también después de eliminar a una persona. Muchas leyes dicen cuántos.',
    payroll: 'Archivo de nómina',
    type: 'Concepto de nómina',
    typeHint: 'Cómo llama tu programa de nóminas a estas horas, por ejemplo un número. Vacío: work.',
    separator: 'Las columnas se separan con',
    semicolons: 'Puntos y comas',
    commas: 'Comas',
    tabs: 'Tabuladores',
    decimal: 'Signo decimal',
    comma: 'Coma',
    point: 'Punto',
    encoding: 'Codificación',
    withMark: 'UTF-8 con marca (BOM)',
    hours: 'Las horas se escriben como',
    inMinutes: '450 minutos',
  },
};

export const errors: ErrorTexts = {
  codes: {
    unreachable: 'El servicio no ha respondido. Comprueba tu conexión e inténtalo de nuevo en un momento.',
    rate_limit_exceeded: 'Demasiadas solicitudes. Inténtalo un poco más tarde.',
    service_unavailable: 'El servicio no está disponible ahora mismo. Inténtalo un poco más tarde.',
    role_insufficient: 'No tienes permiso para esto.',
    tenant_inactive: 'Esta cuenta está suspendida o cerrada.',
    site_not_found: 'Este centro no existe.',
    site_limit_reached: 'No puede haber más de 500 centros.',
    user_not_found: 'Esta persona no existe, o tus permisos no son para su centro.',
    user_erased: 'Esta persona se ha eliminado.',
    month_flags_open: 'Los avisos pendientes ya no son los mismos. Vuelve a revisarlos.',
    month_not_over: 'El mes todavía no ha terminado.',
    month_changed: 'El mes ha cambiado mientras se cerraba. Inténtalo de nuevo.',
    attendance_mark_not_found: 'Esta anotación ya no existe.',
    correction_not_found: 'Esta corrección no existe.',
    correction_closed: 'Esta corrección ya ha terminado.',
    correction_open: 'Esta corrección todavía espera una respuesta.',
    correction_outdated: 'Otra corrección ya ha cambiado lo que cambia esta.',
    correction_waits_for_person: 'Esta corrección espera a la persona.',
    correction_waits_for_member: 'Esta corrección espera a la empresa.',
    correction_of_oneself:
      'Nadie decide sobre sus propias horas en nombre de la empresa. Tiene que hacerlo otro miembro.',
  },
  unknown: (code) => `El servicio ha devuelto un error (${code}). Inténtalo más tarde.`,
  unexpected: 'Algo ha fallado. Vuelve a cargar la página e inténtalo de nuevo.',
  fields: {
    timeZone: 'no se conoce. Elige una de la lista, por ejemplo Europe/Madrid',
    workType: 'solo puede tener letras, cifras, espacios, puntos, guiones y guiones bajos',
    code: 'solo puede tener letras sin tilde, cifras, puntos, guiones y guiones bajos',
    other: 'no puede ser así',
  },
  invalid: 'Algún dato no puede ser así. Revisa las horas y los campos.',
};
