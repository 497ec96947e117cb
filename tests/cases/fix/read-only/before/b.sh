abc
