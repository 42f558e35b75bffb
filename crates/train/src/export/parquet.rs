//! Rows as a Parquet file.

use super::games::Sink;
use super::rows::{Row, SCHEMA};
use files::PartialFile;
use parquet::basic::Compression;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, FloatType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The columns, in the order of [`Row`]'s fields.
const COLUMNS: &str = "
message garrison_steps {
  required int64 game (integer(64, false));
  required int64 cycle (integer(64, false));
  required int32 step (integer(32, false));
  required int32 turn (integer(32, false));
  required binary mover (string);
  required binary position (string);
  required int32 legal_steps (integer(32, false));
  required int32 played_code (integer(32, false));
  required binary played (string);
  required boolean full_search;
  optional int32 simulations (integer(32, false));
  required group policy_code (list) { repeated group list { required int32 element (integer(32, false)); } }
  required group policy (list) { repeated group list { required binary element (string); } }
  required group policy_weight (list) { repeated group list { required float element; } }
  optional float win;
  optional float draw;
  optional float loss;
  optional float value;
  optional float surprise;
  optional float outcome;
  required binary winner (string);
  required binary reason (string);
  required int32 points_first;
  required int32 points_second;
}";

/// Rows of one row group, which is what the writer keeps in memory.
const ROW_GROUP: usize = 10_000;

/// Writes a `.parquet` file.
pub struct ParquetFile {
    writer: SerializedFileWriter<PartialFile>,
    rows: Vec<Row>,
}

impl ParquetFile {
    /// A file that will lie at `path`; `about` is kept in it under the key `garrison`.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn create(path: &Path, about: &serde_json::Value) -> io::Result<ParquetFile> {
        let about = KeyValue::new("garrison".to_owned(), about.to_string());
        let schema = KeyValue::new("garrison.schema".to_owned(), SCHEMA.to_string());
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(vec![about, schema]))
            .build();
        let columns = Arc::new(parse_message_type(COLUMNS).map_err(io_error)?);
        let file = PartialFile::create(path)?;
        let writer = SerializedFileWriter::new(file, columns, Arc::new(properties)).map_err(io_error)?;
        Ok(ParquetFile { writer, rows: Vec::new() })
    }

    fn write_group(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let mut group = Group { writer: self.writer.next_row_group()?, rows: &rows };
        group.required::<Int64Type>(|row| row.game as i64)?;
        group.required::<Int64Type>(|row| row.cycle as i64)?;
        group.required::<Int32Type>(|row| row.step as i32)?;
        group.required::<Int32Type>(|row| row.turn as i32)?;
        group.required::<ByteArrayType>(|row| row.mover.into())?;
        group.required::<ByteArrayType>(|row| row.position.as_str().into())?;
        group.required::<Int32Type>(|row| row.legal_steps as i32)?;
        group.required::<Int32Type>(|row| row.played_code as i32)?;
        group.required::<ByteArrayType>(|row| row.played.as_str().into())?;
        group.required::<BoolType>(|row| row.full_search)?;
        group.optional::<Int32Type>(|row| row.simulations.map(|number| number as i32))?;
        group.list::<Int32Type, u32>(|row| &row.policy_code, |&code| code as i32)?;
        group.list::<ByteArrayType, String>(|row| &row.policy, |text| ByteArray::from(text.as_str()))?;
        group.list::<FloatType, f32>(|row| &row.policy_weight, |&weight| weight)?;
        group.optional::<FloatType>(|row| row.win)?;
        group.optional::<FloatType>(|row| row.draw)?;
        group.optional::<FloatType>(|row| row.loss)?;
        group.optional::<FloatType>(|row| row.value)?;
        group.optional::<FloatType>(|row| row.surprise)?;
        group.optional::<FloatType>(|row| row.outcome)?;
        group.required::<ByteArrayType>(|row| row.winner.as_str().into())?;
        group.required::<ByteArrayType>(|row| row.reason.as_str().into())?;
        group.required::<Int32Type>(|row| row.points_first)?;
        group.required::<Int32Type>(|row| row.points_second)?;
        group.writer.close().map(|_| ())
    }
}

impl Sink for ParquetFile {
    fn write(&mut self, rows: Vec<Row>) -> io::Result<()> {
        self.rows.extend(rows);
        if self.rows.len() >= ROW_GROUP { self.write_group().map_err(io_error) } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        if !self.rows.is_empty() {
            self.write_group().map_err(io_error)?;
        }
        self.writer.into_inner().map_err(io_error)?.finish()
    }
}

/// A row group under way: columns are written one after the other.
struct Group<'a, 'w> {
    writer: SerializedRowGroupWriter<'w, PartialFile>,
    rows: &'a [Row],
}

impl Group<'_, '_> {
    fn required<T: DataType>(&mut self, value: impl Fn(&Row) -> T::T) -> Result<()> {
        let values: Vec<T::T> = self.rows.iter().map(value).collect();
        self.column::<T>(&values, None, None)
    }

    fn optional<T: DataType>(&mut self, value: impl Fn(&Row) -> Option<T::T>) -> Result<()> {
        let values: Vec<Option<T::T>> = self.rows.iter().map(value).collect();
        let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
        let values: Vec<T::T> = values.into_iter().flatten().collect();
        self.column::<T>(&values, Some(&levels), None)
    }

    /// Lists of a required group: definition 0 is an empty list and 1 an element, repetition 0 begins a
    /// list and 1 goes on with it (Parquet's `LogicalTypes.md`, "Lists").
    fn list<T: DataType, V>(
        &mut self,
        list: impl Fn(&Row) -> &Vec<V>,
        value: impl Fn(&V) -> T::T,
    ) -> Result<()> {
        let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
        for row in self.rows {
            let elements = list(row);
            if elements.is_empty() {
                definitions.push(0);
                repetitions.push(0);
            }
            for (index, element) in elements.iter().enumerate() {
                values.push(value(element));
                definitions.push(1);
                repetitions.push(i16::from(index > 0));
            }
        }
        self.column::<T>(&values, Some(&definitions), Some(&repetitions))
    }

    fn column<T: DataType>(
        &mut self,
        values: &[T::T],
        definitions: Option<&[i16]>,
        repetitions: Option<&[i16]>,
    ) -> Result<()> {
        let mut column = self
            .writer
            .next_column()?
            .ok_or_else(|| ParquetError::General("a column is missing".to_owned()))?;
        column.typed::<T>().write_batch(values, definitions, repetitions)?;
        column.close()
    }
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}
