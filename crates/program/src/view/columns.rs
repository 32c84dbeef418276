//! Bytes by column: numbers of one kind stand together, so that they compress.

/// Numbers of variable length: seven bits a byte, the lowest first.
#[derive(Clone, Default, Debug)]
pub struct Column(Vec<u8>);

/// The columns of a piece, in the order in which the page reads them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Kind {
    /// The bodies with a record in a tick, and the flags of the records.
    Control,
    /// The appearance of bodies.
    Looks,
    /// Instants within the tick.
    Instants,
    /// Positions.
    Positions,
    /// Motions along each axis.
    MotionX,
    MotionY,
    MotionZ,
    /// Orientations and their changes.
    Turns,
    /// Corrections.
    Fixes,
    /// The pairs of impacts.
    Impacts,
    /// Their points and normals.
    Points,
}

/// Several columns under construction.
#[derive(Clone, Default, Debug)]
pub struct Columns([Column; Self::COUNT]);

impl Column {
    /// Appends a number.
    pub fn put(&mut self, number: u64) {
        let mut rest = number;
        while rest >= 0x80 {
            self.0.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.0.push(rest as u8);
    }

    /// Appends a number with a sign, small ones short.
    pub fn put_signed(&mut self, number: i64) {
        self.put((number << 1 ^ number >> 63) as u64);
    }

    /// Appends several numbers with signs.
    pub fn put_all<const N: usize>(&mut self, numbers: [i64; N]) {
        numbers.into_iter().for_each(|number| self.put_signed(number));
    }

    /// Appends a text.
    pub fn put_text(&mut self, text: &str) {
        self.put(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    /// The bytes so far.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Columns {
    /// Number of columns.
    pub const COUNT: usize = Kind::Points as usize + 1;

    /// A column.
    pub fn of(&mut self, kind: Kind) -> &mut Column {
        &mut self.0[kind as usize]
    }

    /// Appends a motion, an axis to each column.
    pub fn put_motion(&mut self, motion: [i64; 3]) {
        for (kind, part) in [Kind::MotionX, Kind::MotionY, Kind::MotionZ].into_iter().zip(motion) {
            self.of(kind).put_signed(part);
        }
    }

    /// Appends several numbers with signs to one column.
    pub fn put_all<const N: usize>(&mut self, kind: Kind, numbers: [i64; N]) {
        self.of(kind).put_all(numbers);
    }

    /// All columns as one piece: the length of each, then each.
    pub fn finish(self) -> Vec<u8> {
        let mut head = Column::default();
        self.0.iter().for_each(|column| head.put(column.0.len() as u64));
        self.0.iter().fold(head.0, |mut piece, column| {
            piece.extend_from_slice(&column.0);
            piece
        })
    }
}
