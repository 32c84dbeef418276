//! The weather on a link between two peers.

/// The effects of a link on packets and messages.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Weather {
    /// Delay of every packet, in milliseconds.
    pub latency: u32,
    /// Largest additional delay.
    pub jitter: u32,
    /// Percentage of packets that are lost.
    pub loss: u32,
    /// Percentage of packets with rubbish: nearly the same bytes, or any.
    pub rubbish: u32,
}

/// Error: the weather is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeatherError {
    field: &'static str,
    value: u32,
    limit: u32,
}

impl std::fmt::Display for WeatherError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { field, value, limit } = self;
        write!(f, "{field} is {value}, must be in 0..={limit}")
    }
}

impl std::error::Error for WeatherError {}

impl Weather {
    /// The weather, if a match can be played in it.
    ///
    /// # Errors
    ///
    /// Names the field, its value and the limit.
    pub fn checked(self) -> Result<Self, WeatherError> {
        let fields = [
            ("latency", self.latency, 2_000),
            ("jitter", self.jitter, 2_000),
            ("loss", self.loss, 90),
            ("rubbish", self.rubbish, 100),
        ];
        match fields.into_iter().find(|(_, value, limit)| value > limit) {
            Some((field, value, limit)) => Err(WeatherError { field, value, limit }),
            None => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Weather;

    #[test]
    fn a_weather_that_there_is_not_is_named() {
        let error = Weather { loss: 91, ..Weather::default() }.checked().unwrap_err();
        assert_eq!(error.to_string(), "loss is 91, must be in 0..=90");
    }
}
